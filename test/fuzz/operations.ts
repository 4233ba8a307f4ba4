import fc from 'fast-check';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { reference } from './references.ts';
import * as value from './values.ts';
import { questions } from './values.ts';
import type { FuzzNoun } from './world.ts';

/** What is written, with references in place of ids. */
export interface Written {
  /** The object; absent if the operation has none. */
  object?: string;
  /** The event of what is written, where only the path of REST has it. */
  event?: string;
  /** The body, without fields that only one face has; absent for none. */
  fields?: Record<string, unknown>;
}

/** A write that both faces have, and what its answers are compared by. */
export interface Operation {
  mutation: string;
  /** What GraphQL answers, under the names of REST. */
  selection: string;
  /** The field of the payload that REST answers; null if there is nothing to compare but whether it was refused. */
  payload: string | null;
  /** The names of what is the same on both twins. */
  compared: readonly string[];
  /** What it makes. */
  makes?: FuzzNoun;
  /** Whether it takes a version. */
  guarded?: boolean;
  written: fc.Arbitrary<Written>;
  weight: number;
}

const eventNames = [
  ...['name', 'slug', 'description', 'status', 'date_start', 'date_end', 'timezone', 'location', 'capacity'],
  ...['visibility', 'registration', 'waiting_list', 'accepted_count', 'version'],
];
const subscriptionNames = [
  ...['user_id', 'attendee_name', 'status', 'answers', 'form_version', 'waiting_since', 'checked_in_at'],
];
const keyNames = ['name', 'role', 'access', 'expires_at'];

/** The fields of a type, by their names in REST. */
const select = (names: readonly string[]) =>
  `id: databaseId ${names.map((name) => `${name}: ${camelCase(name.replace(/_id$/, '_database_id'))}`).join(' ')}`;
const event = { payload: 'event', selection: `event { ${select(eventNames)} }`, compared: eventNames };
const subscription = {
  payload: 'eventSubscription',
  selection: `eventSubscription { ${select([...subscriptionNames, 'event_id'])} }`,
  compared: subscriptionNames,
};
const nothing = (selection: string) => ({ payload: null, selection, compared: [] });
const of = (noun: Parameters<typeof reference>[0], fields?: fc.Arbitrary<Record<string, unknown>>) =>
  fc.record({ object: reference(noun), ...(fields ? { fields } : {}) });
const making = (fields: fc.Arbitrary<Record<string, unknown>>) => fc.record({ fields });

export const operations: Record<string, Operation> = {
  'create an event': {
    ...event,
    ...{ mutation: 'createEvent', makes: 'event', weight: 3, written: making(value.newEvent) },
  },
  'change an event': {
    ...event,
    ...{ mutation: 'updateEvent', guarded: true, weight: 8, written: of('event', value.changedEvent) },
  },
  'copy an event': {
    ...event,
    ...{ mutation: 'duplicateEvent', makes: 'event', weight: 2, written: of('event', value.copiedEvent) },
  },
  'delete an event': {
    ...nothing('deletedEventId'),
    ...{ mutation: 'deleteEvent', guarded: true, weight: 2, written: of('event') },
  },
  'set a form': {
    ...nothing('event { id }'),
    ...{ mutation: 'setEventForm', weight: 2, written: of('event', fc.record({ questions })) },
  },
  subscribe: {
    ...subscription,
    ...{ mutation: 'subscribeToEvent', makes: 'subscription', weight: 6, written: of('event', value.newSubscription) },
  },
  'change a subscription': {
    ...subscription,
    ...{ mutation: 'updateEventSubscription', weight: 6, written: of('subscription', value.changedSubscription) },
  },
  'check in': { ...subscription, ...{ mutation: 'checkInEventSubscription', weight: 3, written: of('subscription') } },
  'undo a check-in': { ...subscription, ...{ mutation: 'undoCheckIn', weight: 2, written: of('subscription') } },
  'change many subscriptions': {
    ...nothing('errors { code }'),
    mutation: 'updateEventSubscriptions',
    weight: 2,
    // those of one event: what is of another one is nowhere to be seen in the path of REST
    written: fc.nat(13).chain((place) =>
      fc.record({
        event: fc.constant(`@event:${place}`),
        fields: fc.record({
          ids: fc.uniqueArray(fc.constantFrom(`@subscription:${place}`, `@subscription:${place + 16}`), {
            minLength: 1,
          }),
          status: value.subscriptionStatus,
        }),
      }),
    ),
  },
  'change the organization': {
    ...nothing('organization { id }'),
    ...{ mutation: 'updateOrganization', weight: 1, written: making(value.organization) },
  },
  'change a role': {
    ...{
      payload: 'membership',
      selection: `membership { ${select(['user_id', 'role'])} }`,
      compared: ['user_id', 'role'],
    },
    ...{ mutation: 'updateMemberRole', weight: 2, written: value.memberBeyondActors(value.role) },
  },
  'remove a member': {
    ...nothing('removedMembershipId'),
    ...{ mutation: 'removeMember', weight: 1, written: value.memberBeyondActors() },
  },
  invite: {
    ...{ payload: 'invitation', selection: `invitation { ${select(['email', 'role'])} }`, compared: ['email', 'role'] },
    ...{ mutation: 'inviteMember', makes: 'invitation', weight: 2, written: making(value.invitation) },
  },
  'revoke an invitation': {
    ...nothing('revokedInvitationId'),
    ...{ mutation: 'revokeInvitation', weight: 1, written: of('invitation') },
  },
  'create a key': {
    ...{ payload: 'apiKey', selection: `apiKey { ${select(keyNames)} }`, compared: keyNames },
    ...{ mutation: 'createApiKey', makes: 'api_key', weight: 3, written: making(value.newKey) },
  },
  'change a key': {
    ...{ payload: 'apiKey', selection: `apiKey { ${select(keyNames)} }`, compared: keyNames },
    ...{ mutation: 'updateApiKey', weight: 1, written: of('api_key', value.changedKey) },
  },
  'end a key': { ...nothing('deletedApiKeyId'), ...{ mutation: 'deleteApiKey', weight: 1, written: of('api_key') } },
  'create a webhook': {
    ...{ payload: 'webhook', selection: `webhook { ${select(['url', 'kinds', 'description', 'status'])} }` },
    ...{ compared: ['url', 'kinds', 'description', 'status'], makes: 'webhook' },
    ...{ mutation: 'createWebhook', weight: 3, written: making(value.newWebhook) },
  },
  'change a webhook': {
    ...{ payload: 'webhook', selection: `webhook { ${select(['url', 'kinds', 'description', 'status'])} }` },
    ...{ compared: ['url', 'kinds', 'description', 'status'] },
    ...{ mutation: 'updateWebhook', weight: 1, written: of('webhook', value.changedWebhook) },
  },
  'delete a webhook': {
    ...nothing('deletedWebhookId'),
    ...{ mutation: 'deleteWebhook', weight: 1, written: of('webhook') },
  },
};

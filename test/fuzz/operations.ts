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

/** The fields of a type, by their names in REST. */
const select = (names: readonly string[]) =>
  `id: databaseId ${names.map((name) => `${name}: ${camelCase(name.replace(/_id$/, '_database_id'))}`).join(' ')}`;
/** What an answer is compared by. */
type Shown = Pick<Operation, 'payload' | 'selection' | 'compared'>;
const shown = (payload: string, compared: readonly string[], further: readonly string[] = []): Shown => ({
  ...{ payload, compared, selection: `${payload} { ${select([...compared, ...further])} }` },
});
const event = shown('event', eventNames);
const subscription = shown('eventSubscription', subscriptionNames, ['event_id']);
const key = shown('apiKey', ['name', 'role', 'access', 'expires_at']);
const webhook = shown('webhook', ['url', 'kinds', 'description', 'status']);
const nothing = (selection: string): Shown => ({ payload: null, selection, compared: [] });

type Further = Pick<Operation, 'makes' | 'guarded'>;
const write = (
  mutation: string,
  weight: number,
  answer: Shown,
  written: Operation['written'],
  further: Further = {},
): Operation => ({ ...answer, mutation, weight, written, ...further });
const of = (noun: Parameters<typeof reference>[0], fields?: fc.Arbitrary<Record<string, unknown>>) =>
  fc.record({ object: reference(noun), ...(fields ? { fields } : {}) });
const making = (fields: fc.Arbitrary<Record<string, unknown>>) => fc.record({ fields });

/** Those of one event: what is of another one is nowhere to be seen in the path of REST. */
const several = fc.nat(13).chain((place) => {
  const ids = fc.constantFrom(`@subscription:${place}`, `@subscription:${place + 16}`);
  const fields = { ids: fc.uniqueArray(ids, { minLength: 1 }), status: value.subscriptionStatus };
  return fc.record({ event: fc.constant(`@event:${place}`), fields: fc.record(fields) });
});
const { memberBeyondActors } = value;
const role = shown('membership', ['user_id', 'role']);
const invitation = shown('invitation', ['email', 'role']);

export const operations: Record<string, Operation> = {
  'create an event': write('createEvent', 3, event, making(value.newEvent), { makes: 'event' }),
  'change an event': write('updateEvent', 8, event, of('event', value.changedEvent), { guarded: true }),
  'copy an event': write('duplicateEvent', 2, event, of('event', value.copiedEvent), { makes: 'event' }),
  'delete an event': write('deleteEvent', 2, nothing('deletedEventId'), of('event'), { guarded: true }),
  'set a form': write('setEventForm', 2, nothing('event { id }'), of('event', fc.record({ questions }))),
  subscribe: write('subscribeToEvent', 6, subscription, of('event', value.newSubscription), { makes: 'subscription' }),
  'change a subscription': write(
    'updateEventSubscription',
    6,
    subscription,
    of('subscription', value.changedSubscription),
  ),
  'check in': write('checkInEventSubscription', 3, subscription, of('subscription')),
  'undo a check-in': write('undoCheckIn', 2, subscription, of('subscription')),
  'change many subscriptions': write('updateEventSubscriptions', 2, nothing('errors { code }'), several),
  'change the organization': write('updateOrganization', 1, nothing('organization { id }'), making(value.organization)),
  'change a role': write('updateMemberRole', 2, role, memberBeyondActors(value.role)),
  'remove a member': write('removeMember', 1, nothing('removedMembershipId'), memberBeyondActors()),
  invite: write('inviteMember', 2, invitation, making(value.invitation), { makes: 'invitation' }),
  'revoke an invitation': write('revokeInvitation', 1, nothing('revokedInvitationId'), of('invitation')),
  'create a key': write('createApiKey', 3, key, making(value.newKey), { makes: 'api_key' }),
  'change a key': write('updateApiKey', 1, key, of('api_key', value.changedKey)),
  'end a key': write('deleteApiKey', 1, nothing('deletedApiKeyId'), of('api_key')),
  'create a webhook': write('createWebhook', 3, webhook, making(value.newWebhook), { makes: 'webhook' }),
  'change a webhook': write('updateWebhook', 1, webhook, of('webhook', value.changedWebhook)),
  'delete a webhook': write('deleteWebhook', 1, nothing('deletedWebhookId'), of('webhook')),
};

import { apiKeyResource } from '../../src/domain/api-key/api-key.resource.ts';
import { auditResource } from '../../src/domain/audit/audit.resource.ts';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { invitationResource } from '../../src/domain/invitation/invitation.resource.ts';
import { membershipResource } from '../../src/domain/organization/membership.resource.ts';
import { publicEventResource } from '../../src/domain/public/public-event.resource.ts';
import { sessionResource } from '../../src/domain/session/session.resource.ts';
import {
  subscriptionOfEventResource,
  subscriptionResource,
} from '../../src/domain/subscription/subscription.resource.ts';
import { subscriptionChangeResource } from '../../src/domain/subscription/subscription-change.resource.ts';
import { webhookDeliveryResource, webhookResource } from '../../src/domain/webhook/webhook.resource.ts';
import type { ListResource } from '../../src/engine/list/resource.ts';
import type { Opening } from './faces.ts';
import { globalId } from './send.ts';

/** A list as each API opens it. */
export interface List extends Opening {
  resource: ListResource;
  path: string;
  /** Of its items. */
  type: string;
  /** What `include` can name. */
  relations: readonly ('user' | 'event')[];
}

const list = (
  resource: ListResource,
  path: string,
  open: string,
  type: string,
  relations: List['relations'] = [],
): List => ({ resource, path, open, type, where: `${type}Where`, relations });

const both = ['user', 'event'] as const;

/** Every list that has a filter. Paths and openings name its parent by references (`@event:0`). */
export const lists = {
  events: list(eventResource, '/events', 'connection: events', 'Event'),
  subscriptions: list(
    subscriptionResource,
    '/subscriptions',
    'connection: eventSubscriptions',
    'EventSubscription',
    both,
  ),
  'subscriptions of an event': list(
    subscriptionOfEventResource,
    '/events/@event:0/subscriptions',
    'holder: event(id: "@event:0") { connection: subscriptions',
    'EventSubscription',
    both,
  ),
  history: list(
    subscriptionChangeResource,
    '/events/@event:0/subscriptions/@subscription:0/changes',
    'holder: node(id: "@@EventSubscription:@subscription:0") { ... on EventSubscription { connection: changes',
    'EventSubscriptionChange',
  ),
  members: list(membershipResource, '/members', 'holder: organization { connection: members', 'Membership', ['user']),
  invitations: list(invitationResource, '/invitations', 'holder: organization { connection: invitations', 'Invitation'),
  'API keys': list(apiKeyResource, '/api-keys', 'holder: organization { connection: apiKeys', 'ApiKey'),
  webhooks: list(webhookResource, '/webhooks', 'holder: organization { connection: webhooks', 'Webhook'),
  deliveries: list(
    webhookDeliveryResource,
    '/webhooks/@webhook:0/deliveries',
    'holder: node(id: "@@Webhook:@webhook:0") { ... on Webhook { connection: deliveries',
    'WebhookDelivery',
  ),
  'audit trail': list(auditResource, '/audit', 'holder: organization { connection: auditEntries', 'AuditEntry'),
  sessions: list(sessionResource, '/auth/sessions', 'holder: viewer { connection: sessions', 'Session'),
  'public events': list(publicEventResource, '/public/events', 'connection: publicEvents', 'PublicEvent'),
};

/** A text in which ids stand in place of references, global ones after `@@`. */
export const withIds = (text: string, idOf: (noun: string) => string): string =>
  text
    .replaceAll(/@@(\w+):@(\w+):0/g, (_, type, noun) => globalId(type, idOf(noun)))
    .replaceAll(/@(\w+):0/g, (_, noun) => idOf(noun));

/** The lists of these parents. */
export const listsOf = (ids: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(lists).map(([name, each]) => {
      const filled = (text: string) => withIds(text, (noun) => ids[noun] ?? '');
      return [name, { ...each, path: filled(each.path), open: filled(each.open) }];
    }),
  ) as typeof lists;

/** The fields that can be filtered by members of enums in GraphQL. */
export const enumsOf = ({ fields, filters }: ListResource): string[] =>
  Object.entries({ ...fields, ...filters }).flatMap(([name, field]) => (field.members || field.names ? [name] : []));

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
import { webhookResource } from '../../src/domain/webhook/webhook.resource.ts';
import type { ListResource } from '../../src/engine/list/resource.ts';

/** A list as each face opens it. Paths and openings name its parent by references (`@event:0`). */
export interface FuzzList {
  resource: ListResource;
  path: string;
  /** Up to the connection, whose alias is `connection`. */
  open: string;
  /** The types of its items and of its filter. */
  type: string;
  where: string;
  /** What `include` can name. */
  relations?: readonly ('user' | 'event')[];
  /** How often, compared with the others. */
  weight: number;
}

const list = (
  resource: ListResource,
  path: string,
  open: string,
  type: string,
  further: Partial<FuzzList> = {},
): FuzzList => ({ resource, path, open, type, where: `${type}Where`, weight: 1, ...further });

export const lists: Record<string, FuzzList> = {
  events: list(eventResource, '/events', 'connection: events', 'Event', { weight: 6 }),
  subscriptions: list(subscriptionResource, '/subscriptions', 'connection: eventSubscriptions', 'EventSubscription', {
    ...{ relations: ['user', 'event'], weight: 3 },
  }),
  'subscriptions of an event': list(
    subscriptionOfEventResource,
    '/events/@event:0/subscriptions',
    'holder: event(id: "@event:0") { connection: subscriptions',
    'EventSubscription',
    { relations: ['user', 'event'], weight: 3 },
  ),
  history: list(
    subscriptionChangeResource,
    '/events/@event:0/subscriptions/@subscription:0/changes',
    'holder: node(id: "@@EventSubscription:@subscription:0") { ... on EventSubscription { connection: changes',
    'EventSubscriptionChange',
  ),
  members: list(membershipResource, '/members', 'holder: organization { connection: members', 'Membership', {
    relations: ['user'],
  }),
  invitations: list(invitationResource, '/invitations', 'holder: organization { connection: invitations', 'Invitation'),
  'API keys': list(apiKeyResource, '/api-keys', 'holder: organization { connection: apiKeys', 'ApiKey'),
  webhooks: list(webhookResource, '/webhooks', 'holder: organization { connection: webhooks', 'Webhook'),
  'audit trail': list(auditResource, '/audit', 'holder: organization { connection: auditEntries', 'AuditEntry'),
  sessions: list(sessionResource, '/auth/sessions', 'holder: viewer { connection: sessions', 'Session'),
  'public events': list(publicEventResource, '/public/events', 'connection: publicEvents', 'PublicEvent', {
    weight: 2,
  }),
};

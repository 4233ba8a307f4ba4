import type { Deprecation } from '../kernel/deprecation.ts';

/** What both faces read: a list with its count, or one thing. REST takes operations of a name together, GraphQL fields. */
export type ReadName =
  | 'apiKey'
  | 'apiKeys'
  | 'auditEntries'
  | 'changes'
  | 'event'
  | 'eventForm'
  | 'events'
  | 'eventSubscriptions'
  | 'invitation'
  | 'invitations'
  | 'member'
  | 'members'
  | 'organization'
  | 'organizations'
  | 'ownOrganization'
  | 'publicEvent'
  | 'publicEventForm'
  | 'publicEvents'
  | 'sessions'
  | 'subscription'
  | 'subscriptionChanges'
  | 'subscriptions'
  | 'viewer'
  | 'waitingMails'
  | 'webhook'
  | 'webhookDeliveries'
  | 'webhooks';

/** The reads that are going to end; both faces say so (note 0069). Nothing is at present. */
export const endingReads: Partial<Record<ReadName, Deprecation>> = {};

import type { Deprecation } from '../kernel/deprecation.ts';

/** What both APIs read: a list with its count, or one thing. REST takes operations of a name together, GraphQL fields. */
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
  | 'publicOrganization'
  | 'sessions'
  | 'subscription'
  | 'subscriptionChanges'
  | 'subscriptions'
  | 'viewer'
  | 'waitingMails'
  | 'webhook'
  | 'webhookDeliveries'
  | 'webhooks';

/** Reads that are going to end, as both APIs say (note 0069). At present there are none. */
export const endingReads: Partial<Record<ReadName, Deprecation>> = {};

import { field, type ListResource } from '../list/resource.ts';
import { type SubscriptionStatus, subscriptionStatuses } from './subscription.entity.ts';

/** A subscription as both faces read it (decisions §1). */
export interface SubscriptionRow {
  id: string;
  event_id: string;
  user_id: string;
  status: SubscriptionStatus;
  answers: Record<string, unknown> | null;
  checked_in_at: string | null;
  created_at: string;
  updated_at: string;
}

/** What can be asked of the subscriptions of an event. */
export const subscriptionResource: ListResource<keyof SubscriptionRow> = {
  name: 'subscription',
  table: 'subscription',
  order: 'created_at',
  fields: {
    id: field.id('EventSubscription', 'Identifier of the subscription.'),
    event_id: field.id('Event', 'The event that is subscribed to.', { filter: false }),
    user_id: field.id('User', 'The user who subscribed.'),
    status: field.choice(subscriptionStatuses, 'State of the subscription.'),
    answers: field.json("Answers to the event's form.", { nullable: true }),
    checked_in_at: field.timestamp('When the user was checked in; null before.', { nullable: true }),
    created_at: field.timestamp('When the subscription was made.'),
    updated_at: field.timestamp('When the subscription was changed last.'),
  },
};

export const subscriptionColumns = Object.keys(subscriptionResource.fields) as (keyof SubscriptionRow)[];

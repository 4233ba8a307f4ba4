import { type ListResource, withoutFilters } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { type Subscription, subscriptionStatuses } from './subscription.entity.ts';

/** The fields of subscriptions, and how each can be queried. */
const fields = {
  id: field.id('subscription', 'Identifier of the subscription.'),
  event_id: field.id('event', 'The event of the subscription.'),
  user_id: field.id('user', 'The user who subscribed.'),
  status: field.choice(subscriptionStatuses, 'The status of the subscription.'),
  answers: field.json("Answers to the event's form.", { nullable: true }),
  form_version: field.number('The version of the form that the answers are for; null without answers.', {
    nullable: true,
  }),
  waiting_since: field.timestamp('When the subscription entered the waiting list; null if it is not on the list.', {
    nullable: true,
    filter: false,
  }),
  checked_in_at: field.timestamp('When the user was checked in; null if not checked in.', { nullable: true }),
  created_at: field.timestamp('When the subscription was created.'),
  updated_at: field.timestamp('When the subscription was last changed.'),
} satisfies { [Name in keyof Subscription]?: unknown };

/** A subscription as both faces read it; {@link holderColumns} add the name that a guest gave. */
export type SubscriptionRow = Pick<Subscription, keyof typeof fields> & Partial<Pick<Subscription, 'guest_name'>>;

export const subscriptionResource: ListResource<keyof typeof fields> = {
  name: 'subscription',
  table: 'subscription',
  order: 'created_at',
  fields,
};

/** Subscriptions of one event, as REST filters them: the path names the event. */
export const subscriptionOfEventResource: typeof subscriptionResource = {
  ...subscriptionResource,
  fields: { ...fields, event_id: withoutFilters(fields.event_id) },
};

export const subscriptionColumns = Object.keys(fields) as (keyof typeof fields)[];

/** The columns of a subscription that are needed to show its user. */
export const holderColumns = ['user_id', 'guest_name'] as const satisfies (keyof SubscriptionRow)[];

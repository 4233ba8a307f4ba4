import { field, type ListResource } from '../../engine/list/resource.ts';
import { type SubscriptionStatus, subscriptionStatuses } from './subscription.entity.ts';

/** A subscription as both faces read it (decisions §1). */
export interface SubscriptionRow {
  id: string;
  event_id: string;
  user_id: string;
  status: SubscriptionStatus;
  answers: Record<string, unknown> | null;
  form_version: number | null;
  waiting_since: string | null;
  checked_in_at: string | null;
  created_at: string;
  updated_at: string;
  /** What {@link holderColumns} add, for {@link asHolderOf}; no field of its own. */
  guest_name?: string | null;
}

/** The fields of subscriptions, and how each can be queried. */
export const subscriptionResource: ListResource<Exclude<keyof SubscriptionRow, 'guest_name'>> = {
  name: 'subscription',
  table: 'subscription',
  order: 'created_at',
  fields: {
    id: field.id('subscription', 'Identifier of the subscription.'),
    event_id: field.id('event', 'The event of the subscription.', { filter: false }),
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
  },
};

export const subscriptionColumns = Object.keys(subscriptionResource.fields) as (keyof SubscriptionRow)[];

/** What is read of a subscription to show its user. */
export const holderColumns = ['user_id', 'guest_name'] as const satisfies (keyof SubscriptionRow)[];

/**
 * The user of a subscription, as the organization of the event sees them: a guest by the name that they gave there
 * (docs/decisions/0055).
 */
export function asHolderOf<User extends { name: string }>({ guest_name }: SubscriptionRow, user: User): User {
  return guest_name === null || guest_name === undefined ? user : { ...user, name: guest_name };
}

import { sql } from 'kysely';
import { type ListResource, withoutFilters } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { tables } from '../tables/tables.ts';
import { type Subscription, subscriptionStatuses } from './subscription.entity.ts';

const fields = {
  id: field.id('subscription', 'Identifier of the subscription.'),
  event_id: field.id('event', 'The event of the subscription.'),
  user_id: field.id('user', 'The user who subscribed.'),
  attendee_name: field.search(
    'Name of the attendee: the one given with the subscription, otherwise that of the account.',
  ),
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

const withNames = tables
  .selectFrom('subscription as s')
  .leftJoin('user as u', 'u.id', 's.user_id')
  .selectAll('s')
  .select(({ fn }) => fn.coalesce('s.guest_name', 'u.name').as('attendee_name'));

export type SubscriptionRow = Pick<Subscription, keyof typeof fields>;

export const subscriptionResource: ListResource<keyof typeof fields> = {
  name: 'subscription',
  table: 'subscription',
  // a left join, so that PostgreSQL omits the users from statements that do not read the name
  source: () => withNames,
  order: 'created_at',
  fields,
  filters: {
    attendee_name: {
      ...fields.attendee_name,
      // PostgreSQL reads the matching accounts first if they are few, otherwise that of each row
      match: (has) => sql`(case when t.guest_name is not null then ${has('t.guest_name')}
        else exists (select from "user" u where u.id = t.user_id and ${has('u.name')}) end)`,
    },
  },
};

/** For REST, where the path names the event. */
export const subscriptionOfEventResource: typeof subscriptionResource = {
  ...subscriptionResource,
  fields: { ...fields, event_id: withoutFilters(fields.event_id) },
};

export const subscriptionColumns = Object.keys(fields) as (keyof typeof fields)[];

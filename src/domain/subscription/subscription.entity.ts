import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Event } from '../event/event.entity.ts';
import { User } from '../user/user.entity.ts';

export const subscriptionStatuses = ['pending', 'accepted', 'declined', 'waitlisted', 'cancelled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    event: () => p.manyToOne(Event).ref().deleteRule('cascade').index(false),
    user: () => p.manyToOne(User).ref().deleteRule('cascade').index('subscription_user_id_index'),
    status: p.enum(subscriptionStatuses),
    /** Answers to the event's form: up to a megabyte, which the unit of work would parse and compare again and again. */
    answers: p.json<Record<string, unknown>>().nullable().lazy(),
    /** The version of the form that was answered; null without answers. */
    formVersion: p.integer().nullable(),
    /** When the subscription entered the waiting list, which decides the order; null if it is not on the list. */
    waitingSince: p.datetime(3).nullable(),
    /** Whether a mailed link proved the holder's mailbox for this subscription, whatever the account says. */
    mailboxProven: p.boolean().default(false),
    /** The name that was confirmed with a guest's link; null if the subscription was made in another way. */
    guestName: p.string().length(200).nullable(),
    checkedInAt: p.datetime(3).nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
  indexes: [
    {
      name: 'subscription_created_at_index',
      properties: ['event', 'createdAt', 'id'],
      include: ['status', 'user', 'checkedInAt', 'updatedAt', 'guestName'],
    },
    { name: 'subscription_status_created_at_index', properties: ['event', 'status', 'createdAt', 'id'] },
    {
      name: 'subscription_waiting_index',
      expression:
        'create index "subscription_waiting_index" on "subscription" ("event_id", "waiting_since", "id") where status = \'waitlisted\'',
    },
    {
      name: 'subscription_form_version_index',
      expression:
        'create index "subscription_form_version_index" on "subscription" ("event_id", "form_version") where "form_version" is not null',
    },
    // the confirmed guests of an organization count for its budget of mails
    {
      name: 'subscription_proven_index',
      expression: 'create index "subscription_proven_index" on "subscription" ("event_id") where "mailbox_proven"',
    },
    { name: 'subscription_event_id_user_id_index', properties: ['event', 'user', 'createdAt', 'id'] },
  ],
});

/** A user's subscription to an event. */
export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);

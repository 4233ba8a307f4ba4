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
    /** Answers to the event's form. */
    answers: p.json<Record<string, unknown>>().nullable(),
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
      include: ['status', 'user', 'checkedInAt', 'updatedAt'],
    },
    { name: 'subscription_status_created_at_index', properties: ['event', 'status', 'createdAt', 'id'] },
    { name: 'subscription_event_id_user_id_index', properties: ['event', 'user', 'createdAt', 'id'] },
  ],
});

/** One person's place at one event. */
export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);

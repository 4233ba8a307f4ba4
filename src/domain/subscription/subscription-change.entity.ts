import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Subscription, subscriptionStatuses } from './subscription.entity.ts';

export const changeKinds = ['status', 'check_in', 'undo_check_in'] as const;
/** What happened to a subscription; `status_from = status_to` for all but a change of status. */
export type ChangeKind = (typeof changeKinds)[number];

const SubscriptionChangeSchema = defineEntity({
  name: 'SubscriptionChange',
  tableName: 'subscription_change',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade').index(false),
    kind: p.enum(changeKinds),
    /** Null if the subscription was created. */
    statusFrom: p.enum(subscriptionStatuses).nullable(),
    statusTo: p.enum(subscriptionStatuses),
    /** The user who did it; null if the waiting list moved up. No foreign key: the history outlives an account. */
    actorId: p.uuid().nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  indexes: [{ name: 'subscription_change_created_at_index', properties: ['subscription', 'createdAt', 'id'] }],
});

/** An entry of a subscription's history, written with the change (decisions §9). */
export class SubscriptionChange extends SubscriptionChangeSchema.class {}
SubscriptionChangeSchema.setClass(SubscriptionChange);

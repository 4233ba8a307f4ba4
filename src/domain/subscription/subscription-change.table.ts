import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id } from '../../engine/columns.ts';
import { Subscription, subscriptionStatuses } from './subscription.entity.ts';

export const subscriptionChangeKinds = ['status', 'check_in', 'undo_check_in'] as const;
/** `status_from = status_to` unless the status changed. */
export type SubscriptionChangeKind = (typeof subscriptionChangeKinds)[number];

/** Written with the change (reference/subscriptions.md#history). */
export const SubscriptionChange = defineEntity({
  name: 'SubscriptionChange',
  tableName: 'subscription_change',
  properties: {
    id: id(),
    subscription_id: () => p.manyToOne(Subscription).mapToPk().deleteRule('cascade').index(false),
    kind: p.enum(subscriptionChangeKinds),
    /** Null if the subscription was created. */
    status_from: p.enum(subscriptionStatuses).strictNullable(),
    status_to: p.enum(subscriptionStatuses),
    /** Null if the waiting list moved up. No foreign key: the history outlives an account. */
    actor_id: p.uuid().strictNullable(),
    created_at: created_at(),
  },
  indexes: [{ name: 'subscription_change_created_at_index', properties: ['subscription_id', 'created_at', 'id'] }],
});

import type { ListResource } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { type SubscriptionStatus, subscriptionStatuses } from './subscription.entity.ts';
import { type SubscriptionChangeKind, subscriptionChangeKinds } from './subscription-change.table.ts';

/** An entry of a subscription's history as both faces return it (reference/subscriptions.md#history). */
export interface SubscriptionChangeRow {
  id: string;
  subscription_id: string;
  kind: SubscriptionChangeKind;
  status_from: SubscriptionStatus | null;
  status_to: SubscriptionStatus;
  actor_id: string | null;
  created_at: string;
}

/** The fields of a subscription's history, and how each can be queried. */
export const subscriptionChangeResource: ListResource<keyof SubscriptionChangeRow> = {
  name: 'subscription_change',
  table: 'subscription_change',
  order: 'created_at',
  fields: {
    id: field.id('subscription_change', 'Identifier of the entry.'),
    subscription_id: field.id('subscription', 'The subscription that changed.', { filter: false }),
    kind: field.choice(subscriptionChangeKinds, 'What happened; only `status` changes the status.'),
    status_from: field.choice(subscriptionStatuses, 'The status before; null if the subscription was created.', {
      nullable: true,
    }),
    status_to: field.choice(subscriptionStatuses, 'The status after.'),
    actor_id: field.id('user', 'The user who did it; null if the waiting list moved up.', { nullable: true }),
    created_at: field.timestamp('When it happened.'),
  },
};

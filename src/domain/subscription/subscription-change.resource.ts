import type { InferEntity } from '@mikro-orm/core';
import type { ListResource } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { subscriptionStatuses } from './subscription.entity.ts';
import { type SubscriptionChange, subscriptionChangeKinds } from './subscription-change.table.ts';

const fields = {
  id: field.id('subscription_change', 'Identifier of the entry.'),
  subscription_id: field.id('subscription', 'The subscription that changed.', { filter: false }),
  kind: field.choice(subscriptionChangeKinds, 'What happened; only `status` changes the status.'),
  status_from: field.choice(subscriptionStatuses, 'The status before; null if the subscription was created.', {
    nullable: true,
  }),
  status_to: field.choice(subscriptionStatuses, 'The status after.'),
  actor_id: field.id('user', 'The user who did it; null if the waiting list moved up.', { nullable: true }),
  created_at: field.timestamp('When it happened.'),
};

export type SubscriptionChangeRow = Pick<InferEntity<typeof SubscriptionChange>, keyof typeof fields>;

export const subscriptionChangeResource: ListResource<keyof SubscriptionChangeRow> = {
  name: 'subscription_change',
  table: 'subscription_change',
  order: 'created_at',
  fields,
};

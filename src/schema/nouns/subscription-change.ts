import { subscriptionLoader } from '../../domain/subscription/subscription.ts';
import {
  type SubscriptionChangeRow,
  subscriptionChangeResource,
} from '../../domain/subscription/subscription-change.resource.ts';
import { subscriptionChanges } from '../../domain/subscription/subscription-changes.ts';
import { builder } from '../builder/builder.ts';
import { pageOfNodes } from '../relay/list-arguments.ts';
import { pagesOf, rowConnection } from '../relay/own-connection.ts';
import { namedRow, resourceNode } from '../relay/resource-node.ts';
import { EventSubscriptionRef } from './subscription.ts';
import { actorField } from './user.ts';

const EventSubscriptionChange = resourceNode<SubscriptionChangeRow>('EventSubscriptionChange', {
  description: 'An entry of the history of a subscription.',
  resource: subscriptionChangeResource,
  loader: subscriptionChanges.loader,
  fields: (t) => ({
    subscription: namedRow(t, EventSubscriptionRef, {
      by: 'subscription_id',
      loader: subscriptionLoader,
      description: 'The subscription that changed.',
    }),
    actor: actorField(t),
  }),
});

const changePages = pagesOf(EventSubscriptionChange, subscriptionChangeResource, 'changes', 'entries');

builder.objectField(EventSubscriptionRef, 'changes', (t) =>
  t.field({
    ...changePages,
    description: 'The history of the subscription, oldest first.',
    extensions: { read: 'subscriptionChanges', cost: pageOfNodes },
    resolve: (subscription, args, ctx, info) => rowConnection(info, args, ctx, subscription.id, subscriptionChanges),
  }),
);

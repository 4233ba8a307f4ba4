import { subscriptionLoader } from '../../domain/subscription/subscription.ts';
import {
  type SubscriptionChangeRow,
  subscriptionChangeResource,
} from '../../domain/subscription/subscription-change.resource.ts';
import { changeLoader, subscriptionChanges } from '../../domain/subscription/subscription-changes.ts';
import { builder } from '../builder/builder.ts';
import { connectionType } from '../relay/connection.ts';
import { filteredPage, pageOfNodes } from '../relay/list-arguments.ts';
import { rowConnection } from '../relay/own-connection.ts';
import { namedRow, resourceNode } from '../relay/resource-node.ts';
import { EventSubscriptionRef } from './subscription.ts';
import { actorField } from './user.ts';

const EventSubscriptionChange = resourceNode<SubscriptionChangeRow>('EventSubscriptionChange', {
  description: 'An entry of the history of a subscription.',
  resource: subscriptionChangeResource,
  loader: changeLoader,
  fields: (t) => ({
    subscription: namedRow(t, EventSubscriptionRef, {
      by: 'subscription_id',
      loader: subscriptionLoader,
      description: 'The subscription that changed.',
    }),
    actor: actorField(t),
  }),
});

const EventSubscriptionChangeConnection = connectionType(EventSubscriptionChange, 'changes');
const changeArguments = filteredPage('EventSubscriptionChangeWhere', subscriptionChangeResource, 'entries');

builder.objectField(EventSubscriptionRef, 'changes', (t) =>
  t.field({
    type: EventSubscriptionChangeConnection,
    description: 'The history of the subscription, oldest first.',
    args: changeArguments,
    extensions: { read: 'subscriptionChanges', cost: pageOfNodes },
    resolve: (subscription, args, ctx, info) =>
      rowConnection(info, subscriptionChangeResource, args, ctx, subscription.id, subscriptionChanges),
  }),
);

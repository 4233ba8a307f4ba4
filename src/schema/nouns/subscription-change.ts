import {
  type SubscriptionChangeRow,
  subscriptionChangeResource,
} from '../../domain/subscription/subscription-change.resource.ts';
import { changeLoader, subscriptionChanges } from '../../domain/subscription/subscription-changes.ts';
import { builder } from '../builder/builder.ts';
import { ending } from '../builder/ending.ts';
import { planOnce, Selection } from '../builder/selection.ts';
import { Connection, connectionType, itemReads, needsPage } from '../relay/connection.ts';
import { pageOfNodes } from '../relay/field-costs.ts';
import { filteredPage, listArguments } from '../relay/list-arguments.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { EventSubscriptionRef } from './subscription.ts';
import { actorField } from './user.ts';

const EventSubscriptionChange = resourceNode<SubscriptionChangeRow>('EventSubscriptionChange', {
  description: 'An entry of the history of a subscription.',
  resource: subscriptionChangeResource,
  loader: changeLoader,
  fields: (t) => ({
    actor: actorField(t),
  }),
});

const EventSubscriptionChangeConnection = connectionType(EventSubscriptionChange, 'changes');
const changeArguments = filteredPage('EventSubscriptionChangeWhere', subscriptionChangeResource, 'entries');

builder.objectField(EventSubscriptionRef, 'changes', (t) =>
  t.field({
    ...ending('subscriptionChanges'),
    type: EventSubscriptionChangeConnection,
    description: 'The history of the subscription, oldest first.',
    args: changeArguments,
    extensions: { cost: pageOfNodes },
    resolve: async (subscription, args, ctx, info) => {
      const { pages, counts } = planOnce(ctx, info, () => {
        const selection = Selection.answer(info);
        const input = { ...listArguments(subscriptionChangeResource, args, 1), ...itemReads(selection) };
        return {
          pages: needsPage(selection, args) ? subscriptionChanges.pages(ctx, input) : null,
          counts: (max?: number) => subscriptionChanges.counts(ctx, input.where, max),
        };
      });
      const count = async (max?: number) => (await counts(max).load(subscription.id)) ?? { value: 0, exact: true };
      return new Connection(pages && (await pages.load(subscription.id)), count);
    },
  }),
);

import type { EventRow } from '../../domain/event/event.resource.ts';
import { eventLoader } from '../../domain/event/event.ts';
import type { SubscriptionRow } from '../../domain/subscription/subscription.resource.ts';
import { viewerSubscriptionLoader } from '../../domain/subscription/subscription.ts';
import { builder } from '../builder/builder.ts';
import { answerColumns, planOnce } from '../builder/plan-once.ts';
import { Selection } from '../builder/selection.ts';
import { Connection } from '../relay/connection.ts';
import { oneNode, pageOfNodes } from '../relay/field-costs.ts';
import { pageArguments } from '../relay/list-arguments.ts';
import { Event } from './event.ts';
import {
  EventSubscription,
  EventSubscriptionConnection,
  EventSubscriptionWhere,
  planSubscriptions,
} from './subscription.ts';

/** The subscriptions of an event. Each field is read in one statement for all events of a page. */
builder.objectFields(Event, (t) => ({
  subscriptions: t.field({
    type: EventSubscriptionConnection,
    description: 'The subscriptions to the event that the viewer may see, oldest first.',
    args: {
      where: t.arg({ type: EventSubscriptionWhere, description: 'Only subscriptions that match this filter.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes },
    resolve: (event, args, ctx, info) => {
      const { pages, counts } = planOnce(ctx, info, () => planSubscriptions(ctx, args, Selection.answer(info)));
      const count = async (max?: number) => (await counts(max).load(event.id)) ?? { value: 0, exact: true };
      const page = pages?.find(event.id) ?? null;
      return page instanceof Promise
        ? page.then((loaded) => new Connection(loaded, count))
        : new Connection<SubscriptionRow>(page, count);
    },
  }),
  viewerSubscription: t.field({
    type: EventSubscription,
    nullable: true,
    description: "The viewer's newest subscription to the event; null if there is none.",
    extensions: { cost: oneNode },
    resolve: (event, _args, ctx, info) => viewerSubscriptionLoader(ctx, answerColumns(ctx, info)).load(event.id),
  }),
}));

builder.objectFields(EventSubscription, (t) => ({
  event: t.field({
    type: Event,
    description: 'The event of the subscription.',
    extensions: { columns: ['event_id'], cost: oneNode },
    resolve: (row, _args, ctx, info) =>
      eventLoader(ctx, answerColumns(ctx, info)).load(row.event_id) as Promise<EventRow>,
  }),
}));

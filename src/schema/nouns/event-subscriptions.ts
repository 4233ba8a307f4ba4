import type { GraphQLResolveInfo } from 'graphql';
import { answerColumns, Selection } from '#compiled-graphql';
import { eventLoader } from '../../domain/event/event.ts';
import {
  type SubscriptionCounts as Counts,
  countNames,
  subscriptionCountsLoader,
} from '../../domain/event/subscription-counts.ts';
import {
  countOrganizationSubscriptions,
  listOrganizationSubscriptions,
} from '../../domain/subscription/organization-subscriptions.ts';
import { viewerSubscriptionLoader } from '../../domain/subscription/subscription.ts';
import type { MemberContext } from '../../engine/context.ts';
import { builder } from '../builder/builder.ts';
import { Connection, needsPage } from '../relay/connection.ts';
import { camelCase } from '../relay/dialect.ts';
import type { ListArguments } from '../relay/list-arguments.ts';
import { namedRow } from '../relay/resource-node.ts';
import { EventRef } from './event.ts';
import { listOfOrganization } from './organization-list.ts';
import { EventSubscriptionRef, subscriptionInput, subscriptionPages } from './subscription.ts';

const countDescriptions: Record<keyof Counts, string> = {
  pending: 'Those waiting for approval.',
  accepted: 'Those that have a place.',
  waitlisted: 'Those on the waiting list.',
  declined: 'Those that were declined.',
  cancelled: 'Those that were cancelled.',
  checked_in: 'Those whose holders were checked in, whatever their status.',
};

const SubscriptionCounts = builder.objectRef<Counts>('EventSubscriptionCounts').implement({
  description: 'How many subscriptions an event has.',
  fields: (t) =>
    Object.fromEntries(
      countNames.map((name) => [camelCase(name), t.exposeInt(name, { description: countDescriptions[name] })]),
    ),
});

/** Each field is read in one statement for all events of a page. */
builder.objectFields(EventRef, (t) => ({
  subscriptionCounts: t.field({
    type: SubscriptionCounts,
    nullable: true,
    description: 'How many subscriptions the event has; null unless the viewer is a manager or owner.',
    extensions: { cost: 1 },
    resolve: (event, _args, ctx) => subscriptionCountsLoader(ctx).load(event.id),
  }),
  viewerSubscription: t.field({
    type: EventSubscriptionRef,
    nullable: true,
    description: "The viewer's newest subscription to the event; null if there is none.",
    extensions: { cost: 1 },
    resolve: (event, _args, ctx, info) => viewerSubscriptionLoader(ctx, answerColumns(ctx, info)).load(event.id),
  }),
}));

listOfOrganization(
  'eventSubscriptions',
  subscriptionPages,
  {
    description: 'The subscriptions to its events that the viewer may see, oldest first.',
    ofRoot: "The subscriptions to the organization's events that the viewer may see, oldest first.",
  },
  subscriptionConnection,
);

async function subscriptionConnection(ctx: MemberContext, args: ListArguments, info: GraphQLResolveInfo) {
  const selection = Selection.answer(info);
  const input = subscriptionInput(args, selection);
  const page = needsPage(selection, args) ? await listOrganizationSubscriptions(ctx, input) : null;
  return new Connection(page, (max) => countOrganizationSubscriptions(ctx, input.where, max));
}

builder.objectField(EventSubscriptionRef, 'event', (t) =>
  namedRow(t, EventRef, { by: 'event_id', loader: eventLoader, description: 'The event of the subscription.' }),
);

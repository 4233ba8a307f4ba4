import { answerColumns, type Selection } from '#compiled-graphql';
import { type SubscriptionCounts as Counts, subscriptionCountsLoader } from '../../domain/event/subscription-counts.ts';
import { field } from '../../domain/nouns/nouns.ts';
import {
  countOrganizationSubscriptions,
  listOrganizationSubscriptions,
} from '../../domain/subscription/organization-subscriptions.ts';
import { subscriptionResource } from '../../domain/subscription/subscription.resource.ts';
import { viewerSubscriptionLoader } from '../../domain/subscription/subscription.ts';
import { type MemberContext, withMembership } from '../../engine/context.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { builder } from '../builder/builder.ts';
import { shownType } from '../relay/node-fields.ts';
import { ownConnection } from '../relay/own-connection.ts';
import { EventRef, eventField } from './event.ts';
import { listOfOrganization } from './organization-list.ts';
import { columnsOfUsers, EventSubscriptionRef, subscriptionPages } from './subscription.ts';

const SubscriptionCounts = shownType<Counts>('EventSubscriptionCounts', 'How many subscriptions an event has.', {
  pending: field.number('Those waiting for approval.'),
  accepted: field.number('Those that have a place.'),
  waitlisted: field.number('Those on the waiting list.'),
  declined: field.number('Those that were declined.'),
  cancelled: field.number('Those that were cancelled.'),
  checked_in: field.number('Those whose holders were checked in, whatever their status.'),
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

const organizationSubscriptions = {
  resource: subscriptionResource,
  list: (ctx: MemberContext, input: ListInput, selection: Selection) =>
    listOrganizationSubscriptions(ctx, { ...input, userColumns: columnsOfUsers(selection) }),
  count: countOrganizationSubscriptions,
};

listOfOrganization(
  'eventSubscriptions',
  subscriptionPages,
  {
    description: 'The subscriptions to its events that the viewer may see, oldest first.',
    ofRoot: "The subscriptions to the organization's events that the viewer may see, oldest first.",
  },
  (_, args, ctx, info) => ownConnection(info, args, withMembership(ctx), organizationSubscriptions),
);

builder.objectField(EventSubscriptionRef, 'event', (t) => eventField(t, 'The event of the subscription.'));

import { type ZodType, z } from 'zod';
import { eventColumns } from '../../domain/event/event.resource.ts';
import { eventLoader } from '../../domain/event/event.ts';
import { checkIn, undoCheckIn } from '../../domain/subscription/check-in.ts';
import {
  countOrganizationSubscriptions,
  listOrganizationSubscriptions,
} from '../../domain/subscription/organization-subscriptions.ts';
import { subscriptionPermissionsLoader } from '../../domain/subscription/permissions.ts';
import { subscribe } from '../../domain/subscription/subscribe.ts';
import { subscribeUsers } from '../../domain/subscription/subscribe-users.ts';
import { type SubscriptionRow, subscriptionColumns } from '../../domain/subscription/subscription.resource.ts';
import { eventSubscriptions, getSubscription, subscriptionPageLoader } from '../../domain/subscription/subscription.ts';
import { subscriptionChangeResource } from '../../domain/subscription/subscription-change.resource.ts';
import { subscriptionChanges } from '../../domain/subscription/subscription-changes.ts';
import { transitionSubscriptions } from '../../domain/subscription/transition-subscriptions.ts';
import { updateSubscription } from '../../domain/subscription/update-subscription.ts';
import { waitingPositionLoader } from '../../domain/subscription/waiting-position.ts';
import { relatedUserColumns, relatedUserLoader } from '../../domain/user/user.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { pick } from '../../kernel/objects.ts';
import { commandRoute } from '../server/command-route.ts';
import { itemRoute, listRoutes } from '../server/list.routes.ts';
import { viewOf } from '../server/list.schema.ts';
import { listBelow } from '../server/list-below.ts';
import { bulkIssueSchema, issueSchema, subscriptionOfEventView, subscriptionView } from '../server/resource.schemas.ts';
import { tagged } from '../server/route.ts';

const withUsers = (ctx: MemberContext, input: ListInput, include: readonly string[]) =>
  include.includes('user') ? { ...input, userColumns: relatedUserColumns(ctx) } : input;

const shown = { shows: subscriptionView };
const listed = {
  access: 'organization',
  relations: { user: relatedUserLoader, event: (ctx: MemberContext) => eventLoader(ctx, eventColumns) },
  loaders: { waiting_position: waitingPositionLoader, viewer_can: subscriptionPermissionsLoader },
} as const;

const outcomeSchema = (id: string, issue: ZodType) =>
  z.strictObject({ items: z.array(subscriptionView.schema), errors: z.array(issue) }).meta({ id });

const presentOutcome = (_ctx: MemberContext, { items, errors }: { items: SubscriptionRow[]; errors: object[] }) => ({
  items: items.map((row) => pick(row, subscriptionColumns)),
  errors,
});

export const subscriptionRoutes = tagged('subscriptions', [
  ...listRoutes('subscriptions', 'OrganizationSubscriptions', {
    ...listed,
    view: subscriptionView,
    read: 'eventSubscriptions',
    summary: "Lists the subscriptions to the organization's events that the viewer may see, oldest first.",
    list: (ctx, input, { include }) => listOrganizationSubscriptions(ctx, withUsers(ctx, input, include)),
    count: countOrganizationSubscriptions,
  }),
  ...listRoutes('events/{event}/subscriptions', 'Subscriptions', {
    ...listed,
    ...listBelow('event', eventSubscriptions, {
      pages: (ctx, input, include) => subscriptionPageLoader(ctx, withUsers(ctx, input, include)),
    }),
    view: subscriptionOfEventView,
    summary: 'Lists the subscriptions of an event that the viewer may see, oldest first.',
  }),
  commandRoute('POST /events/{event}/subscriptions/transition', transitionSubscriptions, {
    response: outcomeSchema('SubscriptionTransition', issueSchema),
    answer: presentOutcome,
  }),
  commandRoute('POST /events/{event}/subscriptions/bulk', subscribeUsers, {
    response: outcomeSchema('BulkSubscriptions', bulkIssueSchema),
    answer: presentOutcome,
  }),
  itemRoute('events/{event}/subscriptions/{subscription}', 'Subscription', {
    ...listed,
    view: subscriptionOfEventView,
    summary: 'One subscription of an event.',
    get: (ctx, id, columns, { event = '' }) => getSubscription(ctx, event, id, columns),
  }),
  commandRoute('POST /events/{event}/subscriptions', subscribe, {
    ...shown,
    created: ({ id, event_id }) => `/events/${event_id}/subscriptions/${id}`,
  }),
  commandRoute('PATCH /events/{event}/subscriptions/{subscription}', updateSubscription, shown),
  commandRoute('POST /events/{event}/subscriptions/{subscription}/check-in', checkIn, shown),
  commandRoute('DELETE /events/{event}/subscriptions/{subscription}/check-in', undoCheckIn, shown),
  ...listRoutes('events/{event}/subscriptions/{subscription}/changes', 'SubscriptionChanges', {
    ...listBelow('subscription', subscriptionChanges, {
      requireParent: (ctx, { event = '', subscription = '' }) => getSubscription(ctx, event, subscription, []),
    }),
    view: viewOf(subscriptionChangeResource, 'SubscriptionChange'),
    summary: 'Lists the history of a subscription, oldest first; for its holder, managers and owners.',
  }),
]);

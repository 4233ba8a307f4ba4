import { z } from 'zod';
import { checkIn, undoCheckIn } from '../../domain/subscription/check-in.ts';
import {
  countOrganizationSubscriptions,
  listOrganizationSubscriptions,
} from '../../domain/subscription/organization-subscriptions.ts';
import { subscribe } from '../../domain/subscription/subscribe.ts';
import {
  type SubscriptionRow,
  subscriptionColumns,
  subscriptionOfEventResource,
  subscriptionResource,
} from '../../domain/subscription/subscription.resource.ts';
import { eventSubscriptions, getSubscription, subscriptionPageLoader } from '../../domain/subscription/subscription.ts';
import {
  type SubscriptionChangeRow,
  subscriptionChangeResource,
} from '../../domain/subscription/subscription-change.resource.ts';
import { subscriptionChanges } from '../../domain/subscription/subscription-changes.ts';
import { transitionSubscriptions } from '../../domain/subscription/transition-subscriptions.ts';
import { updateSubscription } from '../../domain/subscription/update-subscription.ts';
import { relatedUserColumns } from '../../domain/user/user.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/pick.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { commandRoute } from '../server/command-route.ts';
import { itemRoute, type ListCall, listRoutes, refuseCursorWithout, requireFound } from '../server/list.routes.ts';
import { issueSchema, subscriptionChangeSchema, subscriptionSchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';
import { presentSubscriptions, relationColumns, subscriptionRelations } from './subscription.presenter.ts';

const projection = { resource: subscriptionOfEventResource, relations: subscriptionRelations };

const userColumnsOf = (ctx: MemberContext, include: readonly string[]) =>
  include.includes('user') ? relatedUserColumns(ctx) : undefined;

async function list(ctx: MemberContext, input: ListInput, { params, include }: ListCall) {
  refuseCursorWithout(params.event, input);
  const userColumns = userColumnsOf(ctx, include);
  return requireFound(await subscriptionPageLoader(ctx, { ...input, userColumns }).load(requireEventId(params.event)));
}

/** Reads the page first, since a cursor is checked before the subscription (interface/writes.md#order-of-checks). */
async function listHistory(ctx: MemberContext, input: ListInput, { params }: ListCall) {
  refuseCursorWithout(params.subscription, input);
  const id = parseUuid(params.subscription);
  const page = id === null ? null : await subscriptionChanges.pages(ctx, input).load(id);
  await subscriptionId(ctx, params);
  return requireFound(page);
}

/** The id of the event. @throws DomainError NOT_FOUND if it is not a UUID (interface/lists.md#operations) */
function requireEventId(event: string | undefined): string {
  const id = parseUuid(event);
  if (!id) throw new DomainError('NOT_FOUND');
  return id;
}

const shown = {
  tag: 'subscriptions',
  response: subscriptionSchema,
  answer: (_ctx: unknown, row: SubscriptionRow) => pick(row, subscriptionColumns),
};

export const subscriptionRoutes: Route[] = [
  ...listRoutes<'organization', SubscriptionRow>({
    path: '/subscriptions',
    name: 'OrganizationSubscriptions',
    read: 'eventSubscriptions',
    summary: "Lists the subscriptions to the organization's events that the viewer may see, oldest first.",
    tag: 'subscriptions',
    access: 'organization',
    projection: { resource: subscriptionResource, relations: subscriptionRelations },
    item: subscriptionSchema,
    list: (ctx, input, { include }) =>
      listOrganizationSubscriptions(ctx, { ...input, userColumns: userColumnsOf(ctx, include) }),
    count: countOrganizationSubscriptions,
    relationColumns,
    present: presentSubscriptions,
  }),
  ...listRoutes<'organization', SubscriptionRow>({
    path: '/events/{event}/subscriptions',
    name: 'Subscriptions',
    read: 'subscriptions',
    summary: 'Lists the subscriptions of an event that the viewer may see, oldest first.',
    tag: 'subscriptions',
    access: 'organization',
    errors: ['NOT_FOUND'],
    projection,
    item: subscriptionSchema,
    list,
    count: async (ctx, where, max, params) =>
      requireFound(await eventSubscriptions.counts(ctx, where, max).load(requireEventId(params.event))),
    relationColumns,
    present: presentSubscriptions,
  }),
  // before the path with a parameter, which would match as well
  commandRoute({
    method: 'post',
    path: '/events/{event}/subscriptions/transition',
    operationId: 'transitionSubscriptions',
    summary: 'Changes the status of up to 100 subscriptions of an event, each independently; for managers and owners.',
    tag: 'subscriptions',
    command: transitionSubscriptions,
    object: 'event',
    response: z
      .strictObject({ items: z.array(subscriptionSchema), errors: z.array(issueSchema) })
      .meta({ id: 'SubscriptionTransition' }),
    answer: (_ctx, { items, errors }) => ({ items: items.map((row) => pick(row, subscriptionColumns)), errors }),
  }),
  itemRoute({
    path: '/events/{event}/subscriptions/{subscription}',
    operationId: 'getSubscription',
    read: 'subscription',
    summary: 'One subscription of an event.',
    tag: 'subscriptions',
    access: 'organization',
    projection,
    response: subscriptionSchema,
    get: async ({ ctx, params }, { fields, include }) => {
      const columns = [...fields, ...relationColumns(include)];
      const row = await getSubscription(ctx, params.event ?? '', params.subscription ?? '', columns);
      const [item] = await presentSubscriptions(ctx, [row], fields, include);
      return item;
    },
  }),
  commandRoute({
    ...shown,
    method: 'post',
    path: '/events/{event}/subscriptions',
    operationId: 'subscribe',
    summary: 'Subscribes the viewer to an event; managers can subscribe any member.',
    command: subscribe,
    object: 'event',
    largeBody: true,
    created: ({ id, event_id }) => `/events/${event_id}/subscriptions/${id}`,
  }),
  commandRoute({
    ...shown,
    method: 'patch',
    path: '/events/{event}/subscriptions/{subscription}',
    operationId: 'updateSubscription',
    summary: 'Changes the status of a subscription, or replaces its answers; holders can cancel their own.',
    command: updateSubscription,
    largeBody: true,
    object: 'subscription',
    within: 'event',
  }),
  commandRoute({
    ...shown,
    method: 'post',
    path: '/events/{event}/subscriptions/{subscription}/check-in',
    operationId: 'checkIn',
    summary: 'Checks in an accepted subscription; for managers and owners.',
    command: checkIn,
    object: 'subscription',
    within: 'event',
  }),
  commandRoute({
    ...shown,
    method: 'delete',
    path: '/events/{event}/subscriptions/{subscription}/check-in',
    operationId: 'undoCheckIn',
    summary: 'Undoes a check-in; for managers and owners.',
    command: undoCheckIn,
    object: 'subscription',
    within: 'event',
  }),
  ...listRoutes<'organization', SubscriptionChangeRow>({
    path: '/events/{event}/subscriptions/{subscription}/changes',
    name: 'SubscriptionChanges',
    read: 'subscriptionChanges',
    summary: 'Lists the history of a subscription, oldest first; for its holder, managers and owners.',
    tag: 'subscriptions',
    access: 'organization',
    errors: ['NOT_FOUND'],
    projection: { resource: subscriptionChangeResource, relations: [] },
    item: subscriptionChangeSchema,
    list: listHistory,
    count: async (ctx, where, max, params) =>
      requireFound(await subscriptionChanges.counts(ctx, where, max).load(await subscriptionId(ctx, params))),
  }),
];

/** The id of a subscription that the viewer may see. */
async function subscriptionId(ctx: MemberContext, params: Record<string, string>): Promise<string> {
  return (await getSubscription(ctx, params.event ?? '', params.subscription ?? '', [])).id;
}

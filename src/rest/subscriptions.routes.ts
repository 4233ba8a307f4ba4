import type { MemberContext } from '../domain/context.ts';
import { DomainError, fault } from '../domain/errors.ts';
import type { ListInput } from '../domain/list/list.ts';
import { type SubscriptionRow, subscriptionResource } from '../domain/subscription/subscription.resource.ts';
import { getSubscription } from '../domain/subscription/subscription.ts';
import { parseUuid } from '../domain/uuid.ts';
import { type ListCall, listRoutes } from './list.routes.ts';
import { projectionDocs } from './list.schema.ts';
import { parseProjection, readUrlQuery } from './list-query.ts';
import { subscriptionSchema } from './resource.schemas.ts';
import { type Route, route } from './route.ts';
import {
  presentSubscriptions,
  relatedUserFields,
  relationColumns,
  subscriptionRelations,
} from './subscription.presenter.ts';

const projection = { resource: subscriptionResource, relations: subscriptionRelations };

async function list(ctx: MemberContext, input: ListInput, { params, include }: ListCall) {
  const { paging } = input;
  if (paging.face === 'rest' && paging.token !== null && !parseUuid(params.event)) {
    throw fault('INVALID_CURSOR', '/token', 'No list has this cursor.');
  }
  const userColumns = include.includes('user') ? relatedUserFields(ctx) : undefined;
  return found(await ctx.loaders.subscriptionPage({ ...input, userColumns }).load(requireEventId(params.event)));
}

/** What an event's loader gave, or that the viewer sees no such event. */
function found<Value>(value: Value | null): Value {
  if (value === null) throw new DomainError('NOT_FOUND');
  return value;
}

/** An event id that is no UUID names no event (decisions §2). */
function requireEventId(event: string | undefined): string {
  const id = parseUuid(event);
  if (!id) throw new DomainError('NOT_FOUND');
  return id;
}

export const subscriptionRoutes: Route[] = [
  ...listRoutes<'organization', SubscriptionRow>({
    path: '/events/{event}/subscriptions',
    name: 'Subscriptions',
    listName: 'SubscriptionList',
    summary: 'Lists the subscriptions of an event that the viewer may see, oldest first.',
    tag: 'subscriptions',
    access: 'organization',
    errors: ['NOT_FOUND'],
    projection,
    item: subscriptionSchema,
    list,
    count: async (ctx, where, max, params) =>
      found(await ctx.loaders.subscriptionCount(where, max).load(requireEventId(params.event))),
    relationColumns,
    present: presentSubscriptions,
  }),
  route({
    method: 'get',
    path: '/events/{event}/subscriptions/{subscription}',
    operationId: 'getSubscription',
    summary: 'One subscription of an event.',
    tag: 'subscriptions',
    access: 'organization',
    parameters: projectionDocs(projection),
    response: subscriptionSchema,
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: async ({ ctx, params, request }) => {
      const { fields, include } = parseProjection(projection, readUrlQuery(request.url));
      const columns = [...fields, ...relationColumns(include)];
      const row = await getSubscription(ctx, params.event ?? '', params.subscription ?? '', columns);
      const [item] = await presentSubscriptions(ctx, [row], fields, include);
      return item;
    },
  }),
];

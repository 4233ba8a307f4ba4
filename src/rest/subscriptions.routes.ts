import { z } from 'zod';
import type { MemberContext } from '../domain/context.ts';
import { DomainError, fault } from '../domain/errors.ts';
import { subscriptionResource } from '../domain/subscription/subscription.resource.ts';
import { getSubscription } from '../domain/subscription/subscription.ts';
import { parseUuid } from '../domain/uuid.ts';
import { answerCount, countDocs } from './count.ts';
import { presentPage } from './list.presenter.ts';
import { envelopeSchema, listParameterDocs, projectionDocs, queryBodySchema } from './list.schema.ts';
import { parseListQuery, parseProjection, type RawQuery, readBodyQuery, readUrlQuery } from './list-query.ts';
import { subscriptionSchema } from './resource.schemas.ts';
import { type Route, route } from './route.ts';
import {
  presentSubscriptions,
  relatedUserFields,
  relationColumns,
  subscriptionRelations,
} from './subscription.presenter.ts';

const projection = { resource: subscriptionResource, relations: subscriptionRelations };

async function list(ctx: MemberContext, event: string | undefined, raw: RawQuery) {
  const { input, fields, include } = parseListQuery(projection, raw);
  const columns = [...fields, ...relationColumns(include)];
  const userColumns = include.includes('user') ? relatedUserFields(ctx) : undefined;
  if (raw.token !== undefined && !parseUuid(event)) throw fault('INVALID_CURSOR', '/token', 'No list has this cursor.');
  const page = await ctx.loaders.subscriptionPage({ ...input, columns, userColumns }).load(requireEventId(event));
  if (!page) throw new DomainError('NOT_FOUND');
  return presentPage(page, await presentSubscriptions(ctx, page.items, fields, include));
}

/** An event id that is no UUID names no event (decisions §2). */
function requireEventId(event: string | undefined): string {
  const id = parseUuid(event);
  if (!id) throw new DomainError('NOT_FOUND');
  return id;
}

export const subscriptionRoutes: Route[] = [
  route({
    method: 'get',
    path: '/events/{event}/subscriptions',
    operationId: 'listSubscriptions',
    summary: 'Lists the subscriptions of an event that the viewer may see, oldest first.',
    tag: 'subscriptions',
    access: 'organization',
    parameters: listParameterDocs(projection),
    response: envelopeSchema(subscriptionSchema, 'SubscriptionList'),
    errors: ['INVALID_QUERY', 'INVALID_CURSOR', 'NOT_FOUND'],
    handle: ({ ctx, params, request }) => list(ctx, params.event, readUrlQuery(request.url)),
  }),
  route({
    method: 'post',
    path: '/events/{event}/subscriptions/query',
    operationId: 'querySubscriptions',
    summary: 'The same list, for filters that are too long for a URL.',
    tag: 'subscriptions',
    access: 'organization',
    body: queryBodySchema,
    response: envelopeSchema(subscriptionSchema, 'SubscriptionList'),
    errors: ['INVALID_QUERY', 'INVALID_CURSOR', 'NOT_FOUND'],
    handle: ({ ctx, params, body, request }) => list(ctx, params.event, readBodyQuery(request.url, body)),
  }),
  route({
    method: 'get',
    path: '/events/{event}/subscriptions/count',
    operationId: 'countSubscriptions',
    summary: 'How many subscriptions the list would hold.',
    tag: 'subscriptions',
    access: 'organization',
    ...countDocs(subscriptionResource),
    response: z.int().min(0),
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: (call) =>
      answerCount(call, subscriptionResource, async (where, max) => {
        const count = await call.ctx.loaders.subscriptionCount(where, max).load(requireEventId(call.params.event));
        if (!count) throw new DomainError('NOT_FOUND');
        return count;
      }),
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

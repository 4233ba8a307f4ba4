import { z } from 'zod';
import type { MemberContext } from '../domain/context.ts';
import { eventResource } from '../domain/event/event.resource.ts';
import { countEvents, getEvent, listEvents } from '../domain/event/event.ts';
import { answerCount, countDocs } from './count.ts';
import { pick, presentPage } from './list.presenter.ts';
import { envelopeSchema, listParameterDocs, projectionDocs, queryBodySchema } from './list.schema.ts';
import { parseListQuery, parseProjection, type RawQuery, readBodyQuery, readUrlQuery } from './list-query.ts';
import { type Route, route } from './route.ts';

const projection = { resource: eventResource, relations: [] };

import { eventSchema } from './resource.schemas.ts';

async function list(ctx: MemberContext, raw: RawQuery) {
  const { input, fields } = parseListQuery(projection, raw);
  const page = await listEvents(ctx, input);
  return presentPage(
    page,
    page.items.map((row) => pick(row, fields)),
  );
}

export const eventRoutes: Route[] = [
  route({
    method: 'get',
    path: '/events',
    operationId: 'listEvents',
    summary: 'Lists the events of the organization that the viewer may see, by start.',
    tag: 'events',
    access: 'organization',
    parameters: listParameterDocs(projection),
    response: envelopeSchema(eventSchema, 'EventList'),
    errors: ['INVALID_QUERY', 'INVALID_CURSOR'],
    handle: ({ ctx, request }) => list(ctx, readUrlQuery(request.url)),
  }),
  route({
    method: 'post',
    path: '/events/query',
    operationId: 'queryEvents',
    summary: 'The same list, for filters that are too long for a URL.',
    tag: 'events',
    access: 'organization',
    body: queryBodySchema,
    response: envelopeSchema(eventSchema, 'EventList'),
    errors: ['INVALID_QUERY', 'INVALID_CURSOR'],
    handle: ({ ctx, body, request }) => list(ctx, readBodyQuery(request.url, body)),
  }),
  route({
    method: 'get',
    path: '/events/count',
    operationId: 'countEvents',
    summary: 'How many events the list would hold.',
    tag: 'events',
    access: 'organization',
    ...countDocs(eventResource),
    response: z.int().min(0),
    errors: ['INVALID_QUERY'],
    handle: (call) => answerCount(call, eventResource, (where, max) => countEvents(call.ctx, where, max)),
  }),
  route({
    method: 'get',
    path: '/events/{event}',
    operationId: 'getEvent',
    summary: 'One event.',
    tag: 'events',
    access: 'organization',
    parameters: projectionDocs(projection),
    response: eventSchema,
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: async ({ ctx, params, request }) => {
      const { fields } = parseProjection(projection, readUrlQuery(request.url));
      return pick(await getEvent(ctx, params.event ?? '', fields), fields);
    },
  }),
];

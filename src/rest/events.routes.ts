import { type EventRow, eventResource } from '../domain/event/event.resource.ts';
import { countEvents, getEvent, listEvents } from '../domain/event/event.ts';
import { pick } from './list.presenter.ts';
import { listRoutes } from './list.routes.ts';
import { projectionDocs } from './list.schema.ts';
import { parseProjection, readUrlQuery } from './list-query.ts';
import { eventSchema } from './resource.schemas.ts';
import { type Route, route } from './route.ts';

const projection = { resource: eventResource, relations: [] };

export const eventRoutes: Route[] = [
  ...listRoutes<'organization', EventRow>({
    path: '/events',
    name: 'Events',
    listName: 'EventList',
    summary: 'Lists the events of the organization that the viewer may see, by start.',
    tag: 'events',
    access: 'organization',
    projection,
    item: eventSchema,
    list: listEvents,
    count: countEvents,
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

import { type PublicEventRow, publicEventResource } from '../../domain/public/public-event.resource.ts';
import {
  countPublicEvents,
  getPublicEvent,
  getPublicForm,
  listPublicEvents,
  type PublicEventName,
} from '../../domain/public/public-events.ts';
import { pick } from '../../kernel/pick.ts';
import { listRoutes } from '../server/list.routes.ts';
import { publicEventSchema } from '../server/resource.schemas.ts';
import { type Route, route } from '../server/route.ts';
import { formSchema, presentForm } from './forms.routes.ts';

const projection = { resource: publicEventResource, relations: [] };

/** A path names an event by its id, its slug or a former slug. */
const nameOf = (event = ''): PublicEventName => ({ id: event, slug: event });

/** The operations that anyone can call without a token. */
export const publicEventRoutes: Route[] = [
  ...listRoutes<'public', PublicEventRow>({
    path: '/public/events',
    name: 'PublicEvents',
    read: 'publicEvents',
    summary: 'Lists the public events of an organization that are active or cancelled, ordered by start.',
    tag: 'public',
    access: 'public',
    projection,
    item: publicEventSchema,
    list: listPublicEvents,
    count: countPublicEvents,
    one: {
      ...{ parameter: 'event', operationId: 'getPublicEvent', read: 'publicEvent' },
      summary: 'A public event, by its id, its slug or a former slug.',
      get: async (ctx, event, { fields }) => pick(await getPublicEvent(ctx, nameOf(event), fields), fields),
    },
  }),
  route({
    method: 'get',
    path: '/public/events/{event}/form',
    operationId: 'getPublicEventForm',
    read: 'publicEventForm',
    summary: 'The current form of a public event.',
    tag: 'public',
    access: 'public',
    cached: true,
    response: formSchema,
    errors: ['NOT_FOUND'],
    handle: async ({ ctx, params }) => presentForm(await getPublicForm(ctx, nameOf(params.event))),
  }),
];

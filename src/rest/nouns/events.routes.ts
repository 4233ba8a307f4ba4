import { createEvent } from '../../domain/event/create-event.ts';
import { deleteEvent } from '../../domain/event/delete-event.ts';
import { duplicateEvent } from '../../domain/event/duplicate-event.ts';
import { type EventRow, eventColumns, eventResource } from '../../domain/event/event.resource.ts';
import { countEvents, getEvent, listEvents } from '../../domain/event/event.ts';
import { subscriptionCountsLoader } from '../../domain/event/subscription-counts.ts';
import { updateEvent } from '../../domain/event/update-event.ts';
import type { MemberContext } from '../../engine/context.ts';
import { pick } from '../../kernel/pick.ts';
import { commandRoute, versionTag, versionTagDoc } from '../server/command-route.ts';
import { listRoutes, presentRows } from '../server/list.routes.ts';
import { computedEventFields, eventSchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';

const projection = { resource: eventResource, relations: [], computed: computedEventFields };

const shown = {
  tag: 'events',
  response: eventSchema,
  headers: { ETag: versionTagDoc },
  answer: (_ctx: unknown, event: EventRow) => pick(event, eventColumns),
  answerHeaders: (event: EventRow) => ({ ETag: versionTag(event.version) }),
};

export const eventRoutes: Route[] = [
  ...listRoutes<'organization', EventRow>({
    path: '/events',
    name: 'Events',
    read: 'events',
    summary: "Lists the organization's events that the viewer may see, by start.",
    tag: 'events',
    access: 'organization',
    projection,
    item: eventSchema,
    list: (ctx, input) => listEvents(ctx, { ...input, columns: eventFieldColumns(input.columns) }),
    count: countEvents,
    present: presentEvents,
    one: {
      ...{ parameter: 'event', operationId: 'getEvent', read: 'event', summary: 'One event.' },
      headers: { ETag: versionTagDoc },
      get: async (ctx, id, { fields }, response) => {
        const event = await getEvent(ctx, id, [...eventFieldColumns(fields), 'version']);
        response.set('etag', versionTag(event.version));
        return (await presentEvents(ctx, [event], fields))[0];
      },
    },
  }),
  commandRoute({
    ...shown,
    method: 'post',
    path: '/events',
    operationId: 'createEvent',
    summary: 'Creates an event; for managers and owners.',
    command: createEvent,
    created: ({ id }) => `/events/${id}`,
  }),
  commandRoute({
    ...shown,
    method: 'patch',
    path: '/events/{event}',
    operationId: 'updateEvent',
    summary: 'Changes an event; absent fields keep their values. For managers and owners.',
    command: updateEvent,
    object: 'event',
    versioned: true,
  }),
  commandRoute({
    method: 'delete',
    path: '/events/{event}',
    operationId: 'deleteEvent',
    summary: 'Deletes a draft without subscriptions; for managers and owners.',
    tag: 'events',
    command: deleteEvent,
    object: 'event',
    versioned: true,
  }),
  commandRoute({
    ...shown,
    method: 'post',
    path: '/events/{event}/duplicate',
    operationId: 'duplicateEvent',
    summary:
      'Creates a draft as a copy of an event; the fields in the body replace those of the original. For managers and owners.',
    command: duplicateEvent,
    object: 'event',
    created: ({ id }) => `/events/${id}`,
  }),
];

const counts = 'subscription_counts';

/** The columns that the fields need. */
function eventFieldColumns(fields: readonly string[]): string[] {
  return ['id', ...fields.filter((name) => name !== counts)];
}

/** Presents events; the counts of their subscriptions cost one statement, regardless of the page size. */
async function presentEvents(
  ctx: MemberContext,
  rows: readonly EventRow[],
  fields: readonly string[],
): Promise<object[]> {
  if (!fields.includes(counts)) return presentRows(rows, fields);
  const loader = subscriptionCountsLoader(ctx);
  const found = await Promise.all(rows.map((row) => loader.load(row.id)));
  return rows.map((row, index) => pick({ ...row, [counts]: found[index] }, fields));
}

import { createEvent } from '../../domain/event/create-event.ts';
import { deleteEvent } from '../../domain/event/delete-event.ts';
import { duplicateEvent } from '../../domain/event/duplicate-event.ts';
import type { EventRow } from '../../domain/event/event.resource.ts';
import { countEvents, getEvent, listEvents } from '../../domain/event/event.ts';
import { subscriptionCountsLoader } from '../../domain/event/subscription-counts.ts';
import { updateEvent } from '../../domain/event/update-event.ts';
import type { MemberContext } from '../../engine/context.ts';
import { pick } from '../../kernel/pick.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes, presentRows } from '../server/list.routes.ts';
import { eventView } from '../server/resource.schemas.ts';
import { tagged } from '../server/route.ts';

const shown = { shows: eventView, versionTag: true } as const;
const created = ({ id }: EventRow) => `/events/${id}`;

export const eventRoutes = tagged('events', [
  ...listRoutes('events', 'Events', {
    access: 'organization',
    view: eventView,
    summary: "Lists the organization's events that the viewer may see, by start.",
    list: (ctx, input) => listEvents(ctx, { ...input, columns: eventFieldColumns(input.columns) }),
    count: countEvents,
    get: (ctx, id, fields) => getEvent(ctx, id, eventFieldColumns(fields)),
    present: presentEvents,
    one: { parameter: 'event', summary: 'One event.', versionTag: true },
  }),
  commandRoute('POST /events', createEvent, { ...shown, created }),
  commandRoute('PATCH /events/{event}', updateEvent, shown),
  commandRoute('DELETE /events/{event}', deleteEvent),
  commandRoute('POST /events/{event}/duplicate', duplicateEvent, { ...shown, created }),
]);

const counts = 'subscription_counts';

function eventFieldColumns(fields: readonly string[]): string[] {
  return ['id', ...fields.filter((name) => name !== counts)];
}

/** The counts cost one statement, whatever the page size. */
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

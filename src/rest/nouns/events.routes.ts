import { createEvent } from '../../domain/event/create-event.ts';
import { deleteEvent } from '../../domain/event/delete-event.ts';
import { duplicateEvent } from '../../domain/event/duplicate-event.ts';
import type { EventRow } from '../../domain/event/event.resource.ts';
import { countEvents, findEvent, listEvents } from '../../domain/event/event.ts';
import { subscriptionCountsLoader } from '../../domain/event/subscription-counts.ts';
import { updateEvent } from '../../domain/event/update-event.ts';
import { eventPermissionsLoader } from '../../domain/subscription/permissions.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes, requireFound } from '../server/list.routes.ts';
import { eventView } from '../server/resource.schemas.ts';
import { tagged } from '../server/route.ts';

const shown = { shows: eventView, versionTag: true } as const;
const created = ({ id }: EventRow) => `/events/${id}`;

export const eventRoutes = tagged('events', [
  ...listRoutes('events', 'Events', {
    access: 'organization',
    view: eventView,
    summary: "Lists the organization's events that the viewer may see, by start.",
    list: listEvents,
    count: countEvents,
    get: async (ctx, event, columns) => requireFound(await findEvent(ctx, { id: event, slug: event }, columns)),
    loaders: { subscription_counts: subscriptionCountsLoader, viewer_can: eventPermissionsLoader },
    one: { parameter: 'event', summary: 'One event, by its id, its slug or a former slug.', versionTag: true },
  }),
  commandRoute('POST /events', createEvent, { ...shown, created }),
  commandRoute('PATCH /events/{event}', updateEvent, shown),
  commandRoute('DELETE /events/{event}', deleteEvent),
  commandRoute('POST /events/{event}/duplicate', duplicateEvent, { ...shown, created }),
]);

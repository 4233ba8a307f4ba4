import { type ListResource, withoutFilters } from '../../engine/list/resource.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { type EventRow, eventResource } from '../event/event.resource.ts';
import { type Availability, availabilities } from '../event/event-moment.ts';
import { field } from '../nouns/nouns.ts';

/** An event as anyone may see it (reference/public-and-guests.md#public-events). */
export interface PublicEventRow
  extends Pick<
    EventRow,
    | 'id'
    | 'name'
    | 'slug'
    | 'description'
    | 'status'
    | 'date_start'
    | 'date_end'
    | 'timezone'
    | 'location'
    | 'registration'
    | 'updated_at'
  > {
  availability: Availability;
}

/** Whether anyone may see an event (reference/public-and-guests.md#public-events). */
export function isPublicEvent({ visibility, status }: { visibility: string; status: number }): boolean {
  return visibility === 'public' && (status === eventStatuses.ACTIVE || status === eventStatuses.CANCELLED);
}

const { name, slug, description, date_start, date_end, timezone, location, registration, updated_at } =
  eventResource.fields;

/** What can be asked of public events. */
export const publicEventResource: ListResource<keyof PublicEventRow> = {
  name: 'public_event',
  table: 'event',
  order: 'date_start',
  fields: {
    id: field.id('public_event', 'Identifier of the event.'),
    name,
    slug,
    description,
    status: field.status(eventStatuses, 'Active or cancelled; no other event is public.'),
    date_start,
    date_end,
    timezone,
    location,
    registration: withoutFilters(registration),
    updated_at,
    availability: withoutFilters(
      field.choice(
        availabilities,
        'What would happen to a new subscription now: it would be accepted, pending, on the waiting list, or refused because the event is full or closed.',
      ),
    ),
  },
};

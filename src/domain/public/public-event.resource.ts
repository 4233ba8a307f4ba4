import { type ListResource, withoutFilters } from '../../engine/list/resource.ts';
import { pick } from '../../kernel/objects.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { type ComputedFields, type EventRow, eventResource } from '../event/event.resource.ts';
import { type Availability, availabilities } from '../event/event-moment.ts';
import { field } from '../nouns/nouns.ts';

const own = eventResource.fields;

const fields = {
  id: field.id('public_event', 'Identifier of the event.'),
  ...pick(own, ['name', 'slug', 'description']),
  status: field.status(eventStatuses, 'Active or cancelled; no other event is public.'),
  ...pick(own, ['date_start', 'date_end', 'timezone', 'location']),
  registration: withoutFilters(own.registration),
  updated_at: own.updated_at,
  availability: withoutFilters(
    field.choice(
      availabilities,
      'What would happen to a new subscription now: it would be accepted, pending, on the waiting list, or refused because the event is full or closed.',
    ),
  ),
};

/** An event as anyone may see it (reference/public-and-guests.md#public-events); `organization_id` is read only if needed. */
export type PublicEventRow = Pick<EventRow, Exclude<keyof typeof fields, 'availability'>> &
  ComputedFields & { availability: Availability; organization_id?: string };

export const publicEventResource: ListResource<keyof typeof fields> = {
  name: 'public_event',
  table: 'event',
  order: 'date_start',
  fields,
};

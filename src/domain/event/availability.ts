import { type Event, eventStatuses } from './event.entity.ts';
import { hasEnded } from './event-phase.ts';
import { type EventPlaces, placeColumns } from './lock-event.ts';

export const availabilities = ['open', 'approval', 'waiting_list', 'full', 'closed'] as const;
/** What would happen to a new subscription to an event now (interface/public-and-guests.md#availability). */
export type Availability = (typeof availabilities)[number];

/** Whether one more subscription can be accepted; to decide about one, the event must be locked. */
export function hasFreePlace(event: Pick<Event, 'capacity' | 'accepted_count'>): boolean {
  return event.capacity === null || event.accepted_count < event.capacity;
}

/** The facts about an event that decide about new subscriptions. */
export type Registrable = Omit<EventPlaces, 'id'> & { somebody_waits: boolean };

/**
 * What would happen to a new subscription: the one rule for members, guests and public lists.
 *
 * @param afterEnd whether subscriptions are possible after the end of the event, as they are for managers
 */
export function availabilityOf(event: Registrable, now: Date, { afterEnd = false } = {}): Availability {
  const over = hasEnded(event, now);
  if (event.status !== eventStatuses.ACTIVE || event.registration === 'closed' || (over && !afterEnd)) return 'closed';
  if (event.registration === 'approval') return 'approval';
  // respect the queue; after the event nobody is promoted
  if (hasFreePlace(event) && (over || !event.somebody_waits)) return 'open';
  return event.waiting_list ? 'waiting_list' : 'full';
}

/** A row that may have the columns that its availability depends on. */
export interface WithAvailability extends Partial<Registrable> {
  availability?: Availability;
}

/** The columns that the availability depends on, of {@link eventsWithWaiting}. */
export const availabilityColumns = [...placeColumns, 'somebody_waits'] as const;

import { eventStatuses } from '../event/event.entity.ts';
import { hasEnded } from '../event/event-phase.ts';
import type { EventPlaces } from '../event/lock-event.ts';
import { hasFreePlace } from './places.ts';

export const availabilities = ['open', 'approval', 'waiting_list', 'full', 'closed'] as const;
/** What would happen to a new subscription to an event now (interface/public-and-guests.md#availability). */
export type Availability = (typeof availabilities)[number];

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

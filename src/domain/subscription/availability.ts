import { eventStatuses } from '../event/event.entity.ts';
import { hasEnded } from '../event/event-phase.ts';
import type { EventPlaces } from '../event/lock-event.ts';
import { hasFreePlace } from './places.ts';

export const availabilities = ['open', 'approval', 'waiting_list', 'full', 'closed'] as const;
/** What a new subscription to an event would meet now (interface/public-and-guests.md#availability). */
export type Availability = (typeof availabilities)[number];

/** What of an event decides about new subscriptions. */
export type Registrable = Omit<EventPlaces, 'id'> & { somebody_waits: boolean };

/**
 * What a new subscription meets: the one rule for subscribing, for public lists and for guests.
 *
 * @param afterEnd whether the event takes subscriptions after its end, as it does from managers
 */
export function availabilityOf(event: Registrable, now: Date, { afterEnd = false } = {}): Availability {
  const over = hasEnded(event, now);
  if (event.status !== eventStatuses.ACTIVE || event.registration === 'closed' || (over && !afterEnd)) return 'closed';
  if (event.registration === 'approval') return 'approval';
  // nobody overtakes; but nobody moves up any more once the event is over
  if (hasFreePlace(event) && (over || !event.somebody_waits)) return 'open';
  return event.waiting_list ? 'waiting_list' : 'full';
}

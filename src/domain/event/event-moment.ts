import { sql } from 'kysely';
import type { DerivedValue } from '../../engine/list/resource.ts';
import { type Event, eventStatuses } from './event.entity.ts';
import { type EventPlaces, spotColumns } from './lock-event.ts';

export const eventPhases = ['UPCOMING', 'IN_PROGRESS', 'CONCLUDED'] as const;
export type EventPhase = (typeof eventPhases)[number];

/** Null if the event is not active. {@link phaseFilter} compares in the same way. */
export function phaseOf(event: Pick<Event, 'status' | 'date_start' | 'date_end'>, now: Date): EventPhase | null {
  if (event.status !== eventStatuses.ACTIVE) return null;
  if (hasEnded(event, now)) return 'CONCLUDED';
  return event.date_start > now.toISOString() ? 'UPCOMING' : 'IN_PROGRESS';
}

export const phaseFilter: DerivedValue = {
  members: eventPhases,
  description: 'The phase of an active event at the time of the request.',
  matches: (phase, now) => {
    const moment = sql`${now}::timestamptz`;
    const dates = {
      UPCOMING: sql`t.date_start > ${moment}`,
      IN_PROGRESS: sql`t.date_start <= ${moment} and t.date_end >= ${moment}`,
      CONCLUDED: sql`t.date_end < ${moment}`,
    }[phase as EventPhase];
    return sql`t.status = 1 and ${dates}`;
  },
};

export function hasEnded({ date_end }: Pick<Event, 'date_end'>, now: Date): boolean {
  return date_end < now.toISOString();
}

export const availabilities = ['open', 'approval', 'waiting_list', 'full', 'closed'] as const;
/** What would happen to a new subscription to an event now (reference/public-and-guests.md#availability). */
export type Availability = (typeof availabilities)[number];

/** Whether one more subscription can be accepted; the event must be locked to decide about one. */
export function hasFreePlace(event: Pick<Event, 'capacity' | 'accepted_count'>): boolean {
  return event.capacity === null || event.accepted_count < event.capacity;
}

/** Null without a limit. */
export function placesLeft({
  capacity,
  accepted_count: accepted,
}: Pick<Event, 'capacity' | 'accepted_count'>): number | null {
  return capacity === null ? null : Math.max(0, capacity - accepted);
}

/** What decides about new subscriptions. */
export type Registrable = Omit<EventPlaces, 'id'> & { somebody_waits: boolean };

/**
 * What would happen to a new subscription: the one rule for members, guests and public lists.
 * @param afterEnd whether subscriptions are possible after the end of the event, as for managers
 */
export function availabilityOf(event: Registrable, now: Date, { afterEnd = false } = {}): Availability {
  const over = hasEnded(event, now);
  if (event.status !== eventStatuses.ACTIVE || event.registration === 'closed' || (over && !afterEnd)) return 'closed';
  if (event.registration === 'approval') return 'approval';
  // respect the queue; after the event nobody is promoted
  if (hasFreePlace(event) && (over || !event.somebody_waits)) return 'open';
  return event.waiting_list ? 'waiting_list' : 'full';
}

export const availabilityColumns = [...spotColumns, 'somebody_waits'] as const;

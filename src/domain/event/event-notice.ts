import { hash } from 'node:crypto';
import type { Event } from './event.entity.ts';

export type EventNotice = 'cancelled' | 'reinstated' | 'changed' | 'reminder';

/** What subscribers knew about an event before a change, by topic, so that a digest reports only what is new. */
export interface EventTold {
  cancelled?: boolean;
  /** A {@link fingerprintOf} time and place. */
  moment?: string;
  /** Set if they do not know yet that it starts soon. */
  reminder?: false;
}

/** Subscribers get a mail if it changes. */
export type TimeAndPlace = Pick<Event, 'date_start' | 'date_end' | 'timezone' | 'location'>;

export function timeAndPlace({ date_start, date_end, timezone, location }: Event): TimeAndPlace {
  return { date_start, date_end, timezone, location };
}

export function fingerprintOf({ date_start, date_end, timezone, location }: TimeAndPlace): string {
  const parts = [date_start, date_end, timezone, location];
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

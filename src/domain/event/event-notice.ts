import { createHash } from 'node:crypto';
import type { TimeAndPlace } from './time-and-place.ts';

/** The subject of a notice: the event's status, new dates or place, or a reminder. */
export type EventNotice = 'cancelled' | 'reinstated' | 'changed' | 'reminder';

/** What holders of a place knew about an event before a change, by topic, so that a digest reports only what is new. */
export interface EventTold {
  /** Whether it was cancelled. */
  cancelled?: boolean;
  /** The {@link fingerprintOf} of its time and place. */
  moment?: string;
  /** Set if they have not been told yet that it starts soon. */
  reminder?: false;
}

/** A short hash of a time and place, to recognize a change. */
export function fingerprintOf({ date_start, date_end, timezone, location }: TimeAndPlace): string {
  const parts = [date_start, date_end, timezone, location];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

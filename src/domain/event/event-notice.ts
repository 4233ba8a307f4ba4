import { createHash } from 'node:crypto';
import type { EventMoment } from './event-moment.ts';

/** The subject of a notice: the event's status, new dates or place, or a reminder. */
export type EventNotice = 'cancelled' | 'reinstated' | 'changed' | 'reminder';

/** What those who have a place knew about an event before a change, by topic: a digest says only what is news. */
export interface EventTold {
  /** Whether it was cancelled. */
  cancelled?: boolean;
  /** The {@link markOf} its time and place. */
  moment?: string;
  /** That it starts soon is not known yet. */
  reminder?: false;
}

/** Tells a time and place from others in a few characters. */
export function markOf({ date_start, date_end, timezone, location }: EventMoment): string {
  const parts = [date_start, date_end, timezone, location];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

import { createHash } from 'node:crypto';
import type { EventMoment } from '../event/event-moment.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';

/**
 * What the holder of a subscription knew before a change, by topic. A digest compares it with how things are, and says only
 * what is news.
 */
export interface Told {
  /** The status of the subscription; null if there was none. */
  status?: SubscriptionStatus | null;
  /** Whether the event was cancelled. */
  cancelled?: boolean;
  /** The {@link markOf} the time and place of the event. */
  moment?: string;
  /** That the event starts soon is not known yet. */
  reminder?: false;
}

/** Tells a time and place from others in a few characters. */
export function markOf({ date_start, date_end, timezone, location }: EventMoment): string {
  const parts = [date_start, date_end, timezone, location];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

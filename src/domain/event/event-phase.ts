import type { EventPhase } from '../../engine/list/condition.ts';
import type { EventRow } from './event.resource.ts';

/**
 * The phase of an event at a moment (interface/resources.md#phase); null if it is not active. The same comparisons as in
 * the filter's SQL (`phaseSql` in `src/engine/list/condition.sql.ts`).
 */
export function phaseOf(
  { status, date_start: start, date_end: end }: Pick<EventRow, 'status' | 'date_start' | 'date_end'>,
  now: Date,
): EventPhase | null {
  if (status !== 1) return null;
  const moment = now.toISOString();
  if (start > moment) return 'UPCOMING';
  return end < moment ? 'CONCLUDED' : 'IN_PROGRESS';
}

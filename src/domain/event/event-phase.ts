import sql, { raw, type Sql } from 'sql-template-tag';
import type { EventPhase } from '../../engine/list/condition.ts';
import { type Event, eventStatuses } from './event.entity.ts';

/**
 * The phase of an event at a moment (interface/resources.md#phase); null if it is not active. The same comparisons as in
 * the filter's SQL (`phaseSql` in `src/engine/list/condition.ts`).
 */
export function phaseOf(event: Pick<Event, 'status' | 'date_start' | 'date_end'>, now: Date): EventPhase | null {
  if (event.status !== eventStatuses.ACTIVE) return null;
  if (hasEnded(event, now)) return 'CONCLUDED';
  return event.date_start > now.toISOString() ? 'UPCOMING' : 'IN_PROGRESS';
}

/** Whether an event is over. */
export function hasEnded({ date_end }: Pick<Event, 'date_end'>, now: Date): boolean {
  return date_end < now.toISOString();
}

type Alias = 'e' | 't' | 'event';

/** {@link hasEnded} as a condition over the table, by its alias. */
export function endedSql(alias: Alias, now: Date): Sql {
  return sql`${raw(alias)}.date_end < ${now.toISOString()}::timestamptz`;
}

/** The opposite. */
export function notEndedSql(alias: Alias, now: Date): Sql {
  return sql`${raw(alias)}.date_end >= ${now.toISOString()}::timestamptz`;
}

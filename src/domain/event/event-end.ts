import sql, { raw, type Sql } from 'sql-template-tag';
import type { Event } from './event.entity.ts';

/** Whether an event is over. */
export function hasEnded({ date_end }: Pick<Event, 'date_end'>, now: Date): boolean {
  return Date.parse(date_end) < now.getTime();
}

type Alias = 'e' | 't' | 'event';

/** The same as a condition over the table, by its alias. */
export function endedSql(alias: Alias, now: Date): Sql {
  return sql`${raw(alias)}.date_end < ${now.toISOString()}::timestamptz`;
}

/** The opposite. */
export function notEndedSql(alias: Alias, now: Date): Sql {
  return sql`${raw(alias)}.date_end >= ${now.toISOString()}::timestamptz`;
}

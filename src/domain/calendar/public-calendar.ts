import sql, { raw, type Sql } from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { shapeRow } from '../../engine/list/list.sql.ts';
import { type EventRow, eventResource } from '../event/event.resource.ts';
import { endedSql, notEndedSql } from '../event/event-moment.ts';
import { getPublicEvent, publicCondition } from '../public/public-events.ts';
import { addMonths } from './add-months.ts';
import { type CalendarEvent, calendarColumns, calendarStatus, maxEvents } from './calendar-event.ts';

const columns = raw([...calendarColumns, 'slug'].map((name) => `e.${name}`).join(', '));

/** A public event by its slug or a former one. @throws DomainError NOT_FOUND */
export async function getPublicCalendarEvent(ctx: Context, slug: string): Promise<CalendarEvent & { slug: string }> {
  const { id } = await getPublicEvent(ctx, { slug }, []);
  const [event] = await readEvents(ctx, sql`e.id = ${id}::uuid`);
  if (!event) throw new Error('a public event has no row');
  return event;
}

/**
 * The public events of an organization that start from three months ago to twelve months ahead, or were changed in the
 * last three months (interface/calendars-and-exports.md#calendars). If there are more than {@link maxEvents}, upcoming
 * events have precedence, then those that ended last.
 *
 * @param day the start of the day that the months are counted from
 */
export async function readPublicCalendar(ctx: Context, day: Date): Promise<CalendarEvent[]> {
  // including the whole first and last day
  const from = addMonths(day, -3).toISOString();
  const to = new Date(addMonths(day, 12).getTime() + 86_400_000).toISOString();
  const now = sql`${ctx.now.toISOString()}::timestamptz`;
  const among = (condition: Sql, order: Sql) =>
    sql`(select e.id from event e where ${publicCondition(ctx, 'e')} and ${condition} order by ${order}, e.id limit ${maxEvents})`;
  // each of the three uses an index, whatever the number of events
  const later = among(sql`e.date_start between ${now} and ${to}::timestamptz`, sql`e.date_start`);
  const earlier = among(sql`e.date_start >= ${from}::timestamptz and e.date_start < ${now}`, sql`e.date_start desc`);
  const changed = among(sql`e.updated_at >= ${from}::timestamptz`, sql`e.updated_at desc`);
  return await readEvents(
    ctx,
    sql`e.id in (${later} union all ${earlier} union all ${changed})
      order by (${endedSql('e', ctx.now)}), case when ${notEndedSql('e', ctx.now)} then e.date_start end, e.date_end desc, e.id
      limit ${maxEvents}`,
  );
}

/** The start of the UTC day: within a day, the calendar changes only when its events do. */
export function calendarDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}

async function readEvents(ctx: Context, which: Sql): Promise<(CalendarEvent & { slug: string })[]> {
  const found = await ctx.db.rows<Record<string, unknown>>(sql`select ${columns} from event e where ${which}`);
  return found.map((row) => {
    const event = shapeRow<EventRow>(eventResource, row);
    return { ...event, status: calendarStatus(event.status, null) };
  });
}

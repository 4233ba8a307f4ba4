import { type InferResult, sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { shapeRow } from '../../engine/list/page.ts';
import { type EventRow, eventResource } from '../event/event.resource.ts';
import { getPublicEvent, publicCondition } from '../public/public-events.ts';
import { publicOrganization } from '../public/public-scope.ts';
import { tables } from '../tables/tables.ts';
import { type CalendarEvent, calendarColumns, calendarStatus, maxEvents } from './calendar-event.ts';

const columns = [...calendarColumns, 'slug' as const].map((name) => `e.${name}` as const);
const events = tables.selectFrom('event as e').select(columns);

const eventOf = prepared((at: { id: string }) => events.where('e.id', '=', at.id));

/** A public event by its slug or a former one. @throws DomainError NOT_FOUND */
export async function getPublicCalendarEvent(ctx: Context, slug: string): Promise<CalendarEvent & { slug: string }> {
  const { id } = await getPublicEvent(ctx, { slug }, []);
  const event = await ctx.db.row(eventOf({ id }));
  if (!event) throw new Error('a public event has no row');
  return shown(event);
}

/**
 * The public events of an organization that start from three months before `day` to twelve months after, or were changed in
 * the last three months (reference/calendars-and-exports.md#calendars). Beyond {@link maxEvents}, upcoming events come
 * first, then those that ended last.
 */
export async function readPublicCalendar(ctx: Context, day: Date): Promise<CalendarEvent[]> {
  // including the whole first and last day
  const from = addMonths(day, -3).toISOString();
  const to = new Date(addMonths(day, 12).getTime() + 86_400_000).toISOString();
  const now = ctx.now.toISOString();
  const isPublic = publicCondition(publicOrganization(ctx), 'e');
  const some = tables.selectFrom('event as e').select('e.id').where(isPublic).limit(sql.lit(maxEvents));
  // each of the three uses an index
  const [starts, changes] = ['e.date_start', 'e.updated_at'] as const;
  const later = some.where(starts, '>=', now).where(starts, '<=', to).orderBy(starts).orderBy('e.id');
  const earlier = some.where(starts, '>=', from).where(starts, '<', now).orderBy(starts, 'desc').orderBy('e.id');
  const changed = some.where(changes, '>=', from).orderBy(changes, 'desc').orderBy('e.id');
  const statement = events
    .where('e.id', 'in', sql<string>`(${later} union all ${earlier} union all ${changed})`)
    .orderBy(sql`e.date_end < ${now}::timestamptz`)
    .orderBy(sql`case when e.date_end >= ${now}::timestamptz then e.date_start end`)
    .orderBy('e.date_end', 'desc')
    .orderBy('e.id')
    .limit(sql.lit(maxEvents));
  return (await ctx.db.rows(built(statement))).map(shown);
}

/** Months later or earlier, in UTC; the last day of the month if that is shorter. */
export function addMonths(day: Date, months: number): Date {
  const moved = new Date(day);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== day.getUTCDate()) moved.setUTCDate(0);
  return moved;
}

/** The start of the UTC day: within a day, the calendar changes only when its events do. */
export function calendarDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}

function shown(row: InferResult<typeof events>[number]): CalendarEvent & { slug: string } {
  const event = shapeRow<EventRow>(eventResource, row);
  return { ...event, status: calendarStatus(event.status, null) };
}

import sql, { raw } from 'sql-template-tag';
import type { Context, MemberContext } from '../../engine/context.ts';
import { shapeRow } from '../../engine/list/list.sql.ts';
import { DomainError } from '../../kernel/errors.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import { type EventRow, eventResource } from '../event/event.resource.ts';
import { getEvent } from '../event/event.ts';
import { viewerSubscriptionLoader } from '../subscription/subscription.ts';
import { type CalendarEvent, calendarColumns, calendarStatus, maxEvents } from './calendar-event.ts';

/** An event, as the viewer's calendar shows it. @throws DomainError NOT_FOUND */
export async function getCalendarEvent(ctx: MemberContext, id: string): Promise<CalendarEvent & { slug: string }> {
  const event = await getEvent(ctx, id, [...calendarColumns, 'slug']);
  const subscription = await viewerSubscriptionLoader(ctx, ['status']).load(event.id);
  return { ...event, status: calendarStatus(event.status, subscription?.status ?? null) };
}

/**
 * The events of the live subscriptions of a secret address's user, archived ones too; if there are too many, those that
 * end last.
 *
 * @throws DomainError NOT_FOUND for an address that is unknown, replaced or ended
 */
export async function readCalendar({ db }: Context, secret: string): Promise<CalendarEvent[]> {
  const owner = await db.row<{ user_id: string }>(
    sql`select f.user_id from calendar_feed f join "user" u on u.id = f.user_id
      where f.hash = ${hashToken(secret)} and u.verified_at is not null`,
  );
  if (!owner) throw new DomainError('NOT_FOUND');
  const columns = raw(calendarColumns.map((name) => `e.${name}`).join(', '));
  const found = await db.rows<Record<string, unknown>>(
    sql`select ${columns}, s.status as subscription_status, e.archived_cancelled from subscription s join event e on e.id = s.event_id
        join organization o on o.id = e.organization_id and o.deleted_at is null
      where s.user_id = ${owner.user_id}::uuid and s.status in ('pending', 'accepted', 'waitlisted') and e.status <> 0
      order by e.date_end desc, e.id limit ${maxEvents}`,
  );
  return found.map(({ subscription_status: subscription, archived_cancelled: cancelled, ...row }) => {
    const event = shapeRow<EventRow>(eventResource, row);
    return { ...event, status: cancelled ? 'CANCELLED' : calendarStatus(event.status, subscription as string) };
  });
}

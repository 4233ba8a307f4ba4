import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Context, MemberContext } from '../../engine/context.ts';
import { shapeRow } from '../../engine/list/page.ts';
import { DomainError } from '../../kernel/errors.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import { type EventRow, eventResource } from '../event/event.resource.ts';
import { getEvent } from '../event/event.ts';
import { viewerSubscriptionLoader } from '../subscription/subscription.ts';
import { tables } from '../tables/tables.ts';
import { type CalendarEvent, calendarColumns, calendarStatus, maxEvents } from './calendar-event.ts';

/** @throws DomainError NOT_FOUND */
export async function getCalendarEvent(ctx: MemberContext, id: string): Promise<CalendarEvent & { slug: string }> {
  const event = await getEvent(ctx, id, [...calendarColumns, 'slug']);
  const subscription = await viewerSubscriptionLoader(ctx, ['status']).load(event.id);
  return { ...event, status: calendarStatus(event.status, subscription?.status ?? null) };
}

const ownerOf = prepared((at: { hash: string }) =>
  tables
    .selectFrom('calendar_feed as f')
    .innerJoin('user as u', 'u.id', 'f.user_id')
    .select('f.user_id')
    .where('f.hash', '=', at.hash)
    .where('u.verified_at', 'is not', null),
);

const eventsOf = prepared((at: { user_id: string }) =>
  tables
    .selectFrom('subscription as s')
    .innerJoin('event as e', 'e.id', 's.event_id')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .select(calendarColumns.map((name) => `e.${name}` as const))
    .select(['s.status as subscription', 'e.archived_cancelled as cancelled'])
    .where('s.user_id', '=', at.user_id)
    .where(sql<boolean>`s.status in ('pending', 'accepted', 'waitlisted') and e.status <> 0 and o.deleted_at is null`)
    .orderBy('e.date_end', 'desc')
    .orderBy('e.id')
    .limit(sql.lit(maxEvents)),
);

/**
 * The events of the live subscriptions of the address's user, archived ones too; if there are too many, those that end last.
 * @throws DomainError NOT_FOUND for an address that is unknown, replaced or ended
 */
export async function readCalendar({ db }: Context, secret: string): Promise<CalendarEvent[]> {
  const owner = await db.row(ownerOf({ hash: hashToken(secret) }));
  if (!owner) throw new DomainError('NOT_FOUND');
  return (await db.rows(eventsOf(owner))).map(({ subscription, cancelled, ...row }) => {
    const event = shapeRow<EventRow>(eventResource, row);
    return { ...event, status: cancelled ? 'CANCELLED' : calendarStatus(event.status, subscription) };
  });
}

import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import type { EventNotice, EventTold } from './event-notice.ts';

/** What a fan-out queues for each subscriber: a notice, or an addition to their digest. */
export type FanOutNotice = EventNotice | 'digest';

/** The maximum number of waiting notices of one event; further changes are merged into one about its current state. */
const waitingNotices = 6;

/**
 * Whether the mails of a notice are being queued: neither it nor an earlier one of its event has failed. One that keeps
 * failing is retried for hours, and those behind it wait.
 */
export const isAdvancing = (notice: Sql): Sql => sql`not exists (
    select from notice_fan_out failing
    where failing.event_id = ${notice}.event_id and failing.position <= ${notice}.position and failing.attempts > 0
  )`;

/**
 * Writes one row, which later becomes a mail to each holder of a subscription to an event, in the order of the event's
 * changes (note 0054). The event must be locked; nudge `services.notices` after the commit.
 *
 * @param told what the holders knew before the change
 */
export async function fanOutNotice(
  { db, bounded }: { db: Pick<Database, 'run'>; bounded: boolean },
  eventId: string,
  notice: EventNotice,
  told: EventTold,
): Promise<void> {
  await db.run(sql`with former as (
      delete from notice_fan_out where event_id = ${eventId}::uuid and notice = 'digest' and after_id is null returning told
    )
    insert into notice_fan_out (id, organization_id, event_id, notice, told, position, created_at, due_at)
    select ${randomUUIDv7()}::uuid, e.organization_id, e.id,
      case when ${bounded} and (former.told is not null or waiting.notices >= ${waitingNotices}) then 'digest' else ${notice} end,
      ${JSON.stringify(told)}::jsonb || coalesce(former.told, '{}'), nextval('mail_job_position_seq'), clock_timestamp(),
      date_trunc('milliseconds', now())
    from event e left join former on true
      cross join (select count(*) as notices from notice_fan_out where event_id = ${eventId}::uuid) waiting
    where e.id = ${eventId}::uuid`);
}

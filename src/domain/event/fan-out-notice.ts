import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import type { EventNotice, EventTold } from './event-notice.ts';

export type FanOutNotice = EventNotice | 'digest';

/** Notices of one event that may wait; further changes are merged into one about its current state. */
const waitingNotices = 6;

/**
 * Whether a notice's mail to the subscription `s` is still to be queued. Not if the notice, or an earlier one of its event,
 * has failed: it is retried for hours, and those behind it wait.
 */
export const isComing = (notice: RawBuilder<unknown>): RawBuilder<unknown> => sql`not exists (
    select from job failing
    where failing.party = ${notice}.party and failing.key = ${notice}.key
      and failing.position <= ${notice}.position and failing.error is not null
  ) and (${notice}.data->>'afterId' is null or (s.created_at, s.id)
    > ((${notice}.data->>'afterCreatedAt')::timestamptz, (${notice}.data->>'afterId')::uuid))`;

const own = sql`party = e.organization_id and key = e.id::text`;

// a text: two common table expressions, of which one deletes
const queueNotice = prepared(
  (at: { id: string; eventId: string; notice: EventNotice; told: string; bounded: boolean }) => sql<never>`with e as (
      select id, organization_id from event where id = ${at.eventId}::uuid
    ), former as (
      delete from job using e where ${own} and kind = 'digest' and data->>'afterId' is null and not claimed returning data->'told' as told
    )
    insert into job (id, lane, kind, data, organization_id, party, key, due_at, created_at)
    select ${at.id}::uuid, 'notices',
      case when ${at.bounded} and (former.told is not null or waiting.notices >= ${sql.lit(waitingNotices)}) then 'digest' else ${at.notice} end,
      jsonb_build_object('told', ${at.told}::jsonb || coalesce(former.told, '{}')),
      e.organization_id, e.organization_id, e.id, date_trunc('milliseconds', now()), clock_timestamp()
    from e left join former on true cross join lateral (select count(*) as notices from job where ${own}) waiting`,
);

/**
 * Writes one row, which later becomes a mail to each subscriber, in the order of the event's changes (note 0009). The event
 * must be locked; nudge `services.jobs` after the commit.
 * @param told what subscribers knew before the change
 */
export async function fanOutNotice(
  { db, bounded }: { db: Pick<Database, 'run'>; bounded: boolean },
  eventId: string,
  notice: EventNotice,
  told: EventTold,
): Promise<void> {
  await db.run(queueNotice({ id: randomUUIDv7(), eventId, notice, told: JSON.stringify(told), bounded }));
}

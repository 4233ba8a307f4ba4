import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { prepared } from '../../engine/statement.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { now, tables } from '../tables/tables.ts';
import { type DueScope, duePage, forEachDueEvent } from './due-events.ts';
import { type Event, type EventStatus, eventStatuses } from './event.entity.ts';
import { EventChangeNotice } from './event-change-notice.table.ts';
import { type EventNotice, type EventTold, fingerprintOf } from './event-notice.ts';
import { fanOutNotice } from './fan-out-notice.ts';
import { type TimeAndPlace, timeAndPlace } from './time-and-place.ts';

/** Seconds after the first change of an event during which further changes go into the same mail. */
const gatheringSeconds = 120;
const nextNotice = sql`now() + make_interval(secs => ${gatheringSeconds})`;
const postponed = sql`'infinity'::timestamptz`;

/**
 * Whether changes are being gathered that soon become a notice: not while the event is not active, nor if the notice
 * should long have been queued and keeps failing.
 */
export const isGathering = (gathered: Sql): Sql =>
  sql`${gathered}.due_at > now() - interval '1 minute' and ${gathered}.due_at < ${postponed}`;

/**
 * Queues the notices about a change of an event: at once if it is cancelled or reinstated; two minutes after the first
 * change of its time or place (interface/subscriptions.md#mails).
 */
export async function queueEventMails(
  tx: Transaction<MemberContext>,
  event: Event,
  former: { status: number; wasCancelled: boolean; timeAndPlace: TimeAndPlace },
): Promise<void> {
  const status: EventStatus = event.status;
  const { DRAFT, ACTIVE, CANCELLED } = eventStatuses;
  const notify = async (notice: EventNotice, told: EventTold) => {
    await fanOutNotice({ db: tx.db, bounded: tx.services.limits.enabled }, event.id, notice, told);
    tx.afterCommit(() => tx.services.jobs.nudge('notices'));
  };
  if (status === CANCELLED && former.status !== CANCELLED) await notify('cancelled', { cancelled: false });
  // a draft has no subscribers
  const moved = JSON.stringify(former.timeAndPlace) !== JSON.stringify(timeAndPlace(event));
  if (moved && former.status !== DRAFT) await gatherChange(tx, event.id, former.timeAndPlace, status === ACTIVE);
  if (status === ACTIVE && former.wasCancelled) {
    await notify('reinstated', { cancelled: true });
    // that mail says how things are now
    await tx.em.nativeDelete(EventChangeNotice, { event_id: event.id });
  }
}

/**
 * Starts gathering changes, unless that has begun: the mail compares with the state before the first change. While the
 * event is not active they wait.
 */
async function gatherChange(tx: Transaction, eventId: string, former: TimeAndPlace, active: boolean): Promise<void> {
  await tx.db.run(sql`insert into event_change_notice as gathered (event_id, former, due_at)
        values (${eventId}::uuid, ${JSON.stringify(former)}::jsonb, ${active ? nextNotice : postponed})
        on conflict (event_id) do update set due_at = least(gathered.due_at, excluded.due_at)`);
}

/**
 * Lets gathered changes wait while the event is not active, and be told two minutes after it is again, even if that
 * change of the status itself is told to nobody. What becomes a draft again has no subscribers.
 */
export async function postponeGathered({ db, em }: Transaction, event: Pick<Event, 'id' | 'status'>): Promise<void> {
  const { DRAFT, ACTIVE } = eventStatuses;
  if (event.status === DRAFT) {
    await em.nativeDelete(EventChangeNotice, { event_id: event.id });
    return;
  }
  const due = event.status === ACTIVE ? nextNotice : postponed;
  await db.run(sql`update event_change_notice set due_at = ${due} where event_id = ${event.id}::uuid`);
}

const dueAfter = prepared((at: { id: string }) =>
  tables
    .selectFrom('event_change_notice')
    .select('event_id as id')
    .where('due_at', '<=', now)
    .where('event_id', '>', at.id)
    .orderBy('event_id')
    .limit((eb) => eb.lit(duePage)),
);

/**
 * Queues the notices whose gathering time is over; none if the event is as it was before the changes. Several processes
 * may do so at once. Returns whether there were any.
 */
export async function queueGatheredChanges(scope: DueScope): Promise<boolean> {
  const page = (id: string) => scope.db.rows(dueAfter({ id }));
  return await forEachDueEvent(scope, page, async (tx, id) => {
    const due = await tx.db.row<{ same: boolean; former: TimeAndPlace }>(sql`with taken as (
            delete from event_change_notice where event_id = (
              select event_id from event_change_notice where event_id = ${id}::uuid and due_at <= now() for update skip locked
            ) returning event_id, former
          )
          select t.former, e.status <> ${eventStatuses.ACTIVE} or (
            (t.former->>'date_start')::timestamptz = e.date_start and (t.former->>'date_end')::timestamptz = e.date_end
            and t.former->>'timezone' = e.timezone and t.former->>'location' is not distinct from e.location
          ) as same
          from taken t join event e on e.id = t.event_id`);
    if (due && !due.same) await fanOutNotice(tx, id, 'changed', { moment: fingerprintOf(due.former) });
  });
}

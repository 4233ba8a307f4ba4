import { LockMode, raw } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { now, tables } from '../tables/tables.ts';
import { type DueScope, duePage, forEachDueEvent } from './due-events.ts';
import { Event, type EventStatus, eventStatuses } from './event.entity.ts';
import { EventChangeNotice } from './event-change-notice.table.ts';
import { type EventNotice, type EventTold, fingerprintOf, type TimeAndPlace, timeAndPlace } from './event-notice.ts';
import { fanOutNotice } from './fan-out-notice.ts';

/** Further changes of an event within these seconds go into the same mail. */
const gatheringSeconds = 120;
const nextNotice = `now() + make_interval(secs => ${gatheringSeconds})`;
const postponed = 'infinity';

/** Whether gathered changes soon become a notice: not while the event is inactive, nor if queueing the notice keeps failing. */
export const isGathering = (gathered: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${gathered}.due_at > now() - interval '1 minute' and ${gathered}.due_at < ${postponed}`;

/**
 * Queues the notices about a change of an event: at once if it is cancelled or reinstated, two minutes after the first change
 * of its time or place (reference/subscriptions.md#mails).
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
    // that mail shows the current time and place
    await tx.em.nativeDelete(EventChangeNotice, { event_id: event.id });
  }
}

const gather = prepared((at: { eventId: string; former: string; postponed: boolean }) =>
  tables
    .insertInto('event_change_notice')
    .values({
      event_id: at.eventId,
      former: sql`${at.former}::jsonb`,
      due_at: sql`case when ${at.postponed} then ${sql.lit(postponed)} else ${sql.raw(nextNotice)} end`,
    })
    .onConflict((gathered) =>
      gathered.column('event_id').doUpdateSet({ due_at: sql`least(event_change_notice.due_at, excluded.due_at)` }),
    ),
);

/** The mail compares with the state before the first gathered change. While the event is inactive, changes wait. */
async function gatherChange(tx: Transaction, eventId: string, former: TimeAndPlace, active: boolean): Promise<void> {
  await tx.db.run(gather({ eventId, former: JSON.stringify(former), postponed: !active }));
}

/**
 * Gathered changes wait while the event is inactive, and are due two minutes after it is active again, whether or not that
 * change itself is sent. A draft has no subscribers.
 */
export async function postponeGathered({ em }: Transaction, event: Pick<Event, 'id' | 'status'>): Promise<void> {
  const { DRAFT, ACTIVE } = eventStatuses;
  if (event.status === DRAFT) {
    await em.nativeDelete(EventChangeNotice, { event_id: event.id });
    return;
  }
  const due = event.status === ACTIVE ? raw(nextNotice) : postponed;
  await em.nativeUpdate(EventChangeNotice, { event_id: event.id }, { due_at: due });
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

/** Queues due notices, unless the event is as before; several processes may do so at once. Returns whether any were due. */
export async function queueGatheredChanges(scope: DueScope): Promise<boolean> {
  const page = (id: string) => scope.db.rows(dueAfter({ id }));
  return await forEachDueEvent(scope, page, async (tx, id) => {
    const { em } = tx.db;
    const due = { event_id: id, due_at: { $lte: raw('now()') } };
    const notice = await em.findOne(EventChangeNotice, due, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE });
    const event = notice && (await em.findOne(Event, { id }));
    if (!event) return;
    await em.nativeDelete(EventChangeNotice, { event_id: id });
    const moment = fingerprintOf(notice.former);
    if (event.status === eventStatuses.ACTIVE && moment !== fingerprintOf(timeAndPlace(event)))
      await fanOutNotice(tx, id, 'changed', { moment });
  });
}

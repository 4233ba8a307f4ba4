import { sql } from 'kysely';
import { prepared, type Statement } from '#postgres-access';
import { changedNow } from '../../engine/columns.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { type LoggedEvent, recordSubscriptionChange } from '../change/change-log.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { mailJobs } from './queue-mails.ts';
import type { Subscription } from './subscription.entity.ts';
import { historySql } from './subscription-history.ts';
import { changeMail } from './subscription-mail.ts';

type Accepted = Pick<Subscription, 'id' | 'event_id' | 'user_id'>;

type Run = <Row>(statement: Statement<Row>) => Promise<Row[]>;

const accept = prepared(
  // a text: common table expressions with a lateral join
  (at: { eventIds: readonly string[]; now: string }) => sql<Accepted>`with room as (
      select id, greatest(coalesce(capacity, 2147483647) - accepted_count, 0) as places from event
      where id = any(${at.eventIds}::uuid[]) and status = ${sql.lit(eventStatuses.ACTIVE)} and date_end >= ${at.now}::timestamptz
    ), chosen as (
      select waiting.id from room cross join lateral (
        select id from subscription where event_id = room.id and status = 'waitlisted'
        order by waiting_since, id limit room.places
      ) waiting
    )
    update subscription set status = 'accepted', waiting_since = null, updated_at = ${sql.raw(changedNow('subscription'))}
    from chosen where subscription.id = chosen.id returning subscription.id, event_id, user_id`,
);

/**
 * Accepts the earliest on the waiting lists, as many as fit, with history, mails and log: no active event that has not ended may
 * have both a free place and somebody waiting (reference/subscriptions.md#waiting-list). Every write that may free a place or
 * reopen an event must end with this, with the events locked. Returns the ids of the accepted subscriptions.
 */
export async function fillPlaces(
  tx: Transaction,
  events: readonly LoggedEvent[],
  options: { notify: boolean },
): Promise<string[]> {
  await tx.em.flush();
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const accepted = await acceptWaiting((statement) => tx.db.rows(statement), [...eventOf.keys()], {
    ...options,
    now: tx.now,
    bounded: tx.services.limits.enabled,
  });
  if (accepted.length > 0) tx.afterCommit(() => tx.services.jobs.nudge('event_mails'));
  for (const subscription of accepted) {
    const event = eventOf.get(subscription.event_id) as LoggedEvent;
    recordSubscriptionChange(tx, event, { op: 'changed', subscription, actorId: null, accepted: 1 });
  }
  return accepted.map(({ id }) => id);
}

/** {@link fillPlaces} without a unit of work, for an import; `bounded` as in `mailJobs`. */
export async function acceptWaiting(
  run: Run,
  eventIds: readonly string[],
  { notify, now, bounded }: { notify: boolean; now: Date; bounded: boolean },
): Promise<Accepted[]> {
  const accepted = await run(accept({ eventIds, now: now.toISOString() }));
  const ids = accepted.map(({ id }) => id);
  if (ids.length === 0) return [];
  const changes = ids.map((subscriptionId) => ({ subscriptionId, from: 'waitlisted', to: 'accepted' }) as const);
  await run(historySql(changes, null));
  if (notify) {
    const by = 'list' as const;
    await run(
      mailJobs(
        changeMail,
        ids.map((subscriptionId) => ({ subscriptionId, status: 'accepted', by, told: { status: 'waitlisted' } })),
        { bounded },
      ),
    );
  }
  return accepted;
}

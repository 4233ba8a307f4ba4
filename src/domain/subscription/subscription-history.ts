import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { acceptedBy, type LoggedEvent, recordSubscriptionChange } from '../change/change-log.ts';
import { queueMails } from './queue-mails.ts';
import type { Subscription, SubscriptionStatus } from './subscription.entity.ts';
import type { SubscriptionChangeKind } from './subscription-change.table.ts';
import { changeMail } from './subscription-mail.ts';

interface Change {
  subscriptionId: string;
  kind?: SubscriptionChangeKind;
  /** Null if the subscription was created. */
  from: SubscriptionStatus | null;
  to: SubscriptionStatus;
}

type StatusChange = Omit<Change, 'subscriptionId' | 'kind'>;

/**
 * The statement that writes entries of histories. Each gets a time after the existing entries of its history: the list
 * is ordered by time, and without this, changes of one transaction or of processes with different clocks could be in
 * the wrong order.
 *
 * @param actorId the user who did it; null if the waiting list moved up
 */
export function historySql(changes: readonly Change[], actorId: string | null): Sql {
  const column = <Value>(read: (change: Change) => Value) => changes.map(read);
  return sql`insert into subscription_change (id, subscription_id, kind, status_from, status_to, actor_id, created_at)
    select change_id, given.subscription_id, kind, status_from, status_to, ${actorId}::uuid,
      ${timeAfterOthers(sql`given.subscription_id`)}
    from unnest(${column(() => randomUUIDv7())}::uuid[], ${column(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${column(({ kind = 'status' }) => kind)}::text[], ${column(({ from }) => from)}::text[],
      ${column(({ to }) => to)}::text[]) as given (change_id, subscription_id, kind, status_from, status_to)`;
}

/**
 * {@link historySql} for one change. PostgreSQL reuses its plan; planning the other one each time costs more than
 * running it.
 */
function entrySql({ subscriptionId: id, kind = 'status', from, to }: Change, actorId: string): Sql {
  return sql`insert into subscription_change (id, subscription_id, kind, status_from, status_to, actor_id, created_at)
    values (${randomUUIDv7()}, ${id}::uuid, ${kind}, ${from}, ${to}, ${actorId}::uuid, ${timeAfterOthers(sql`${id}::uuid`)})`;
}

function timeAfterOthers(subscriptionId: Sql): Sql {
  return sql`greatest(clock_timestamp(),
    (select max(created_at) + interval '1 millisecond' from subscription_change c where c.subscription_id = ${subscriptionId}))`;
}

/**
 * Writes an entry of a subscription's history and of the log of changes by the viewer, after the change itself.
 *
 * @param event the event of the subscription, which is locked
 */
export async function recordChange(
  tx: Transaction<MemberContext>,
  { event, subscription }: { event: LoggedEvent; subscription: Subscription },
  change: Omit<Change, 'subscriptionId'>,
): Promise<void> {
  await tx.em.flush();
  const { from, to } = change;
  const op = from === null ? 'created' : 'changed';
  const entry = { op, subscription, actorId: tx.viewer.userId, accepted: acceptedBy(from, to) } as const;
  recordSubscriptionChange(tx, event, entry);
  await tx.db.run(entrySql({ ...change, subscriptionId: subscription.id }, tx.viewer.userId));
}

/** Queues the mail about the new status to the holder; a confirmation if the holder made the change. */
export async function mailHolder(
  tx: Transaction<MemberContext>,
  subscription: Subscription,
  { from, to: status }: StatusChange,
): Promise<void> {
  const by = subscription.user_id === tx.viewer.userId ? ('holder' as const) : ('manager' as const);
  await queueMails(tx, changeMail, [{ subscriptionId: subscription.id, status, by, told: { status: from } }]);
}

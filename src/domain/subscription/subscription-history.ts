import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { prepared, type Statement } from '#postgres-access';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { pick } from '../../kernel/objects.ts';
import { acceptedBy, type LoggedEvent, recordSubscriptionChange } from '../change/change-log.ts';
import { tables } from '../tables/tables.ts';
import { queueMails } from './queue-mails.ts';
import type { Subscription, SubscriptionStatus } from './subscription.entity.ts';
import type { SubscriptionChangeRow } from './subscription-change.resource.ts';
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

/** After the existing entries: changes of one transaction, or of processes with different clocks, could be out of order. */
const timeAfterOthers = (subscriptionId: RawBuilder<unknown>) => sql<string>`greatest(clock_timestamp(),
  (select max(created_at) + interval '1 millisecond' from subscription_change c where c.subscription_id = ${subscriptionId}))`;

// for one change: PostgreSQL reuses its plan; planning the other each time costs more than running it
const insertEntry = prepared((at: Omit<SubscriptionChangeRow, 'created_at'>) =>
  tables.insertInto('subscription_change').values({
    ...pick(at, ['id', 'subscription_id', 'kind', 'status_from', 'status_to', 'actor_id']),
    created_at: timeAfterOthers(sql`${at.subscription_id}`),
  }),
);

const insertEntries = prepared(
  // a text: its rows are those of a JSON array
  (at: { entries: string; actorId: string | null }) =>
    sql<never>`insert into subscription_change (id, subscription_id, kind, status_from, status_to, actor_id, created_at)
      select id, given.subscription_id, kind, status_from, status_to, ${at.actorId}::uuid, ${timeAfterOthers(sql`given.subscription_id`)}
      from jsonb_to_recordset(${at.entries}::jsonb)
        as given (id uuid, subscription_id uuid, kind text, status_from text, status_to text)`,
);

/** @param actorId null if the waiting list moved up */
export function historySql(changes: readonly Change[], actorId: string | null): Statement {
  const entries = changes.map(({ subscriptionId: subscription_id, kind = 'status', from, to }) => {
    return { id: randomUUIDv7(), subscription_id, kind, status_from: from, status_to: to };
  });
  const [entry] = entries;
  return entry && entries.length === 1
    ? insertEntry({ ...entry, actor_id: actorId })
    : insertEntries({ entries: JSON.stringify(entries), actorId });
}

/** Writes the change itself, then the history and the log of changes; the event must be locked. */
export async function recordChange(
  tx: Transaction<MemberContext>,
  { event, subscription }: { event: LoggedEvent; subscription: Subscription },
  change: Omit<Change, 'subscriptionId'>,
  write: () => Promise<void> = () => tx.em.flush(),
): Promise<void> {
  await write();
  const { from, to } = change;
  const op = from === null ? 'created' : 'changed';
  const entry = { op, subscription, actorId: tx.viewer.userId, accepted: acceptedBy(from, to) } as const;
  recordSubscriptionChange(tx, event, entry);
  await tx.db.run(historySql([{ ...change, subscriptionId: subscription.id }], tx.viewer.userId));
}

/** Queues the mail about the new status; a confirmation if the holder made the change. */
export async function mailHolder(
  tx: Transaction<MemberContext>,
  subscription: Subscription,
  { from, to: status }: StatusChange,
): Promise<void> {
  const by = subscription.user_id === tx.viewer.userId ? ('holder' as const) : ('manager' as const);
  await queueMails(tx, changeMail, [{ subscriptionId: subscription.id, status, by, told: { status: from } }]);
}

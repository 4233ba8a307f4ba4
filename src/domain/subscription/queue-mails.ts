import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../engine/transaction.ts';
import type { EventTold } from '../event/event-notice.ts';
import type { Mail } from '../mail/mail.ts';
import { mailJobSql, mailJobsSql } from './mail-jobs-sql.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';

/**
 * What the holder of a subscription knew before a change, by topic. A digest compares it with the current state and
 * reports only what is new.
 */
export interface Told extends EventTold {
  /** The status of the subscription; null if there was none. */
  status?: SubscriptionStatus | null;
}

/** The data that a mail about a subscription is composed from. */
interface AboutSubscription {
  subscriptionId: string;
  told: Told;
}

/**
 * Queues mails of one kind about subscriptions, as `queueMail` does.
 *
 * @param options `after`: a statement that writes what the mails are about, to save its round trip
 */
export async function queueMails<Data extends AboutSubscription>(
  tx: Transaction,
  mail: Mail<Data>,
  data: readonly Data[],
  { after }: { after?: Sql } = {},
): Promise<void> {
  await tx.db.run(mailJobs(mail, data, { bounded: tx.services.limits.enabled, after }));
  tx.afterCommit(() => tx.services.outbox.nudge('events'));
}

/**
 * The statement that queues mails about subscriptions, for a transaction without a unit of work. The subscriptions must
 * have been written before.
 *
 * @param options whether mails beyond a recipient's budget become a digest, as in `mailJobsSql`
 */
export function mailJobs<Data extends AboutSubscription>(
  { kind }: Mail<Data>,
  data: readonly Data[],
  options: { bounded: boolean; after?: Sql | undefined },
): Sql {
  const [first] = data;
  if (first && data.length === 1) {
    const about = first.subscriptionId;
    return mailJobSql({ id: randomUUIDv7(), kind, about, data: JSON.stringify(first) }, options);
  }
  const given = sql`select n, job.id, ${kind}::text as kind, data, about, e.organization_id, s.user_id as recipient
    from unnest(${data.map(() => randomUUIDv7())}::uuid[], ${data.map(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${data.map((each) => JSON.stringify(each))}::jsonb[]) with ordinality as job (id, about, data, n)
    join subscription s on s.id = about join event e on e.id = s.event_id`;
  return mailJobsSql(given, options);
}

import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../engine/transaction.ts';
import type { EventTold } from '../event/event-notice.ts';
import type { Mail } from '../mail/mail.ts';
import { placeMail, placeMails } from './place-mails.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';

/**
 * What the holder of a subscription knew before a change, by topic. A digest compares it with how things are, and says only
 * what is news.
 */
export interface Told extends EventTold {
  /** The status of the subscription; null if there was none. */
  status?: SubscriptionStatus | null;
}

/** What a mail about a subscription is composed from. */
interface AboutSubscription {
  subscriptionId: string;
  told: Told;
}

/**
 * Queues mails of one kind about subscriptions, as `queueMail` does.
 *
 * @param options a statement that writes what the mails are about, which then takes no round trip of its own
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
 * The statement that queues mails about subscriptions, for a transaction that has no unit of work. The subscriptions must
 * be written.
 *
 * @param options whether what is too much for a recipient becomes a digest, as `placeMails` describes
 */
export function mailJobs<Data extends AboutSubscription>(
  { kind }: Mail<Data>,
  data: readonly Data[],
  options: { bounded: boolean; after?: Sql | undefined },
): Sql {
  const [first] = data;
  if (first && data.length === 1) {
    const about = first.subscriptionId;
    return placeMail({ id: randomUUIDv7(), kind, about, data: JSON.stringify(first) }, options);
  }
  const given = sql`select n, job.id, ${kind}::text as kind, data, about, e.organization_id, s.user_id as recipient
    from unnest(${data.map(() => randomUUIDv7())}::uuid[], ${data.map(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${data.map((each) => JSON.stringify(each))}::jsonb[]) with ordinality as job (id, about, data, n)
    join subscription s on s.id = about join event e on e.id = s.event_id`;
  return placeMails(given, options);
}

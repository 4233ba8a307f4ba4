import sql from 'sql-template-tag';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import type { Transaction } from '../transaction.ts';
import type { EventNotice } from './mail-job.ts';

/** Queues a mail about an event to each holder of a subscription in one of these states. */
export async function fanOutNotice(
  tx: Pick<Transaction, 'db'>,
  eventId: string,
  notice: EventNotice,
  statuses: readonly SubscriptionStatus[],
): Promise<void> {
  await tx.db.rows(sql`insert into mail_job (id, kind, data, due_at, created_at)
        select gen_random_uuid(), 'event_notice', jsonb_build_object('subscriptionId', s.id, 'notice', ${notice}::text),
          date_trunc('milliseconds', now()), now()
        from subscription s where s.event_id = ${eventId}::uuid and s.status = any(${statuses}::text[])`);
}

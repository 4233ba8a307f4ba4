import sql from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { notEndedSql } from '../event/event-phase.ts';
import { fillPlaces } from './places.ts';
import { queueMails } from './queue-mails.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import { liveStatuses } from './subscription.state.ts';
import { historySql } from './subscription-history.ts';
import { changeMail } from './subscription-mail.ts';

/**
 * Cancels a former member's live subscriptions to events of the organization that have not ended, including those
 * checked in; the waiting lists move up (interface/subscriptions.md#leaving-the-organization). Delete the membership
 * first, so that no new subscription can follow.
 */
export async function cancelSubscriptions(tx: Transaction<MemberContext>, userId: string): Promise<void> {
  await tx.em.flush();
  const events = await tx.db.rows<{
    id: string;
  }>(sql`select id from event e where organization_id = ${tx.membership.organizationId}::uuid
        and ${notEndedSql('e', tx.now)}
        and exists (select from subscription s where s.event_id = e.id and s.user_id = ${userId}::uuid
          and s.status = any(${liveStatuses}::text[]))
        order by id for update`);
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  const cancelled = await tx.db.rows<{ id: string; status: SubscriptionStatus }>(sql`with live as (
          select id, status from subscription where event_id = any(${ids}::uuid[]) and user_id = ${userId}::uuid
            and status = any(${liveStatuses}::text[])
        )
        update subscription set status = 'cancelled', waiting_since = null, updated_at = now()
        from live where subscription.id = live.id returning live.id, live.status`);
  const changes = cancelled.map(({ id, status }) => ({ subscriptionId: id, from: status, to: 'cancelled' }) as const);
  await tx.db.rows(historySql(changes, tx.viewer.userId));
  const by = userId === tx.viewer.userId ? ('holder' as const) : ('manager' as const);
  await queueMails(
    tx,
    changeMail,
    cancelled.map(({ id, status }) => ({ subscriptionId: id, status: 'cancelled' as const, by, told: { status } })),
  );
  await fillPlaces(tx, ids, { notify: true });
}

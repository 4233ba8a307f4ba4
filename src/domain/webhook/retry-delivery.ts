import sql from 'sql-template-tag';
import { command, noFields } from '../../engine/command.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import type { ChangeRow } from '../change/change-view.ts';
import { deliveriesOf, queueDeliveries } from './delivery-jobs.ts';
import { lockWebhook } from './manage-webhook.ts';

interface Tried {
  webhook_id: string;
  change: ChangeRow;
  seq: string;
  attempts: number;
  first_tried_at: string;
}

/**
 * Sends the change of a try again now, after earlier ones of its object; a failure goes on in the schedule. CONFLICT while
 * the webhook is paused or disabled.
 */
export const retryDelivery = command<'organization', object, { id: string; webhookId: string }>({
  name: 'retryWebhookDelivery',
  description: 'Sends the change of a try again now; for owners.',
  object: 'webhook_delivery',
  access: 'organization',
  role: 'owner',
  people: true,
  input: noFields,
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async (tx, _input, { id: given, within }) => {
    const id = parseUuid(given);
    const tried =
      id &&
      (await tx.db.row<Tried>(sql`select d.webhook_id, d.change, d.seq::text as seq,
            tries.attempts, tries.first_tried_at
          from webhook_delivery d cross join lateral (
            select max(o.attempt) as attempts, min(o.created_at) as first_tried_at from webhook_delivery o
            where o.webhook_id = d.webhook_id and o.change_id = d.change_id
          ) tries where d.id = ${id}::uuid`));
    if (!tried || (within !== undefined && parseUuid(within) !== tried.webhook_id)) throw new DomainError('NOT_FOUND');
    const webhook = await lockWebhook(tx, tried.webhook_id);
    if (webhook.status !== 'active') throw new DomainError('CONFLICT', { detail: `The webhook is ${webhook.status}.` });
    const { change, seq, attempts, first_tried_at: firstTriedAt } = tried;
    // if it waits for its next try, that is now
    await tx.db.run(sql`update job set due_at = date_trunc('milliseconds', now())
        where ${deliveriesOf(sql`${webhook.id}::uuid`)} and about = ${change.id}::uuid and not held and not claimed`);
    await queueDeliveries(tx.db, webhook, [{ change, seq, attempts, firstTriedAt }]);
    tx.afterCommit(() => tx.services.jobs.nudge('deliveries'));
    return { id, webhookId: webhook.id };
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import { parseTimestamp, parseUuid, text } from '#input-values';
import { start } from '#log-places';
import { prepared } from '#postgres-access';
import { command, noFields } from '../../engine/command.ts';
import { dueNow } from '../../engine/jobs/job.table.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { spending } from '../../kernel/limits/limits.ts';
import { recordAudit } from '../audit/audit.ts';
import { jsonb, tables } from '../tables/tables.ts';
import { forOwnersAndKeys } from './create-webhook.ts';
import { deliveryId, queueDeliveries } from './delivery-jobs.ts';
import { lockWebhook } from './manage-webhook.ts';
import type { Webhook } from './webhook.entity.ts';
import { placeBefore } from './webhook-place.ts';

export const replayInput = z.strictObject({
  since: text
    .transform((value, context) => {
      const time = value === 'start' ? value : parseTimestamp(value);
      if (time !== null && (time === 'start' || Date.parse(time) <= Date.now())) return time;
      const message =
        time === null ? 'Must be "start", or a time in ISO 8601 with a zone.' : 'Must not be in the future.';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({ description: 'A time, or `start` for everything that is kept.' }),
});

/** Moves a webhook back in the log, never ahead. Changes that still wait are not queued twice. */
export const replayWebhook = command({
  name: 'replayWebhook',
  description:
    'Moves a webhook back in the log of changes, so that what follows is sent again; for owners and keys that run webhooks.',
  object: 'webhook',
  ...forOwnersAndKeys,
  input: replayInput,
  errors: ['NOT_FOUND', 'CONFLICT'],
  around: async (ctx, _input, change, { id }) => {
    const key = `${ctx.membership.organizationId} ${parseUuid(id)}`;
    return await spending(ctx, [{ rule: 'webhook_replays', key }], change);
  },
  run: async (tx, { since }, { id: given }) => {
    const webhook = await lockWebhook(tx, given);
    if (isReplaying(webhook)) throw new DomainError('CONFLICT', { detail: 'A replay of this webhook is running.' });
    await replaySince(tx, webhook, since);
    return { id: webhook.id };
  },
});

/** Whether a replay has not reached the place where it began. */
function isReplaying({ replay_to: end, place, unread }: Webhook): boolean {
  return end !== null && unread && (place?.height ?? start) < Number(end);
}

const redirection = prepared((at: { id: string; place: string | null; end: string }) =>
  tables
    .updateTable('webhook')
    .set({ place: jsonb(at.place), unread: true, redirected_at: sql`clock_timestamp()` })
    .set((eb) => ({ replay_to: eb.fn('greatest', ['replay_to', eb.val(at.end)]) }))
    .where('id', '=', at.id),
);

export async function replaySince(tx: Transaction, webhook: Webhook, since: string): Promise<void> {
  const { id, organization_id: organizationId, place: own } = webhook;
  const place = since === 'start' || !own ? null : await placeBefore(tx.db, organizationId, since, own);
  await tx.db.run(redirection({ id, place: place && JSON.stringify(place), end: String(own?.height ?? start) }));
  const actorId = tx.viewer?.userId ?? null;
  await recordAudit(tx, { action: 'webhook.replayed', organizationId, actorId, subjectId: id, detail: { since } });
  tx.afterCommit(() => tx.services.changes.wake([organizationId]));
}

const triedBefore = prepared((at: { id: string }) =>
  tables
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook_delivery as o', (each) =>
      each.onRef('o.webhook_id', '=', 'd.webhook_id').onRef('o.change_id', '=', 'd.change_id'),
    )
    .select((eb) => ['d.webhook_id', 'd.change', 'd.seq', eb.fn.max('o.attempt').as('attempts')])
    .select((eb) => eb.fn.min('o.created_at').as('firstTriedAt'))
    .where('d.id', '=', at.id)
    .groupBy('d.id'),
);

const hurriedChange = prepared((at: { webhookId: string; changeId: string }) =>
  tables
    .updateTable('job')
    .set({ due_at: dueNow })
    .where('id', '=', deliveryId(sql`${at.webhookId}::uuid`, sql`${at.changeId}::uuid`))
    .where(sql<boolean>`not held and not claimed`),
);

/** Resends the change of an attempt, never before earlier changes of its object. If the attempt fails, the schedule continues. */
export const retryDelivery = command({
  name: 'retryWebhookDelivery',
  description: 'Resends the change of this attempt now; for owners and keys that run webhooks.',
  object: 'webhook_delivery',
  ...forOwnersAndKeys,
  input: noFields,
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async (tx, _input, { id: given, within }) => {
    const id = parseUuid(given);
    const tried = id && (await tx.db.row(triedBefore({ id })));
    if (!tried || (within !== undefined && parseUuid(within) !== tried.webhook_id)) throw new DomainError('NOT_FOUND');
    const webhook = await lockWebhook(tx, tried.webhook_id);
    if (webhook.status !== 'active') throw new DomainError('CONFLICT', { detail: `The webhook is ${webhook.status}.` });
    const { change, seq, attempts, firstTriedAt } = tried;
    // if it waits for its next attempt already
    await tx.db.run(hurriedChange({ webhookId: webhook.id, changeId: change.id }));
    await queueDeliveries(tx.db, webhook, [{ change, seq, attempts, firstTriedAt }]);
    tx.afterCommit(() => tx.services.jobs.nudge('deliveries'));
    return { id, webhookId: webhook.id };
  },
});

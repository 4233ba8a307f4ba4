import { z } from 'zod';
import { command } from '../../engine/command.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { dropKinds, hurryDeliveries } from './delivery-jobs.ts';
import { lockWebhook } from './lock-webhook.ts';
import type { Webhook } from './webhook.entity.ts';
import { checkUrl, webhookFields } from './webhook.input.ts';
import { redirect } from './webhook-place.ts';

const { url, kinds, description } = webhookFields;

const input = z.strictObject({
  url: url.optional(),
  kinds: kinds.optional(),
  description: description.optional(),
  status: z
    .enum(['active', 'paused'])
    .optional()
    .meta({ description: '`paused` stops sending; `active` goes on where it stopped.' }),
});

/** Changes a webhook. What waits to be sent goes to the new address. */
export const updateWebhook = command<'organization', z.output<typeof input>, { id: string }>({
  access: 'organization',
  role: 'owner',
  people: true,
  input,
  check: (ctx, sent) => checkUrl(ctx, sent),
  errors: ['NOT_FOUND'],
  run: async (tx, fields, { id: given }) => {
    const webhook = await lockWebhook(tx, given);
    await changeWebhook(tx, webhook, fields);
    return { id: webhook.id };
  },
});

/** Changes a locked webhook, with an audit entry if anything changes. */
export async function changeWebhook(tx: Transaction, webhook: Webhook, fields: z.output<typeof input>): Promise<void> {
  const { id, organization_id: organizationId } = webhook;
  const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter(
    (name) => fields[name] !== undefined && String(fields[name]) !== String(webhook[name]),
  );
  if (changed.length === 0) return;
  const resumed = changed.includes('status') && fields.status === 'active';
  Object.assign(
    webhook,
    fields,
    changed.includes('status') ? { status_reason: null } : {},
    resumed ? { failing_since: null, warnings: 0, answering: true, unread: true } : {},
  );
  await tx.em.flush();
  if (changed.includes('kinds')) {
    await dropKinds(tx.db, id, webhook.kinds);
    await tx.db.run(redirect(webhook));
  }
  if (resumed) await hurryDeliveries(tx.db, id);
  const actorId = tx.viewer?.userId ?? null;
  const detail = { fields: changed };
  await recordAudit(tx, { action: 'webhook.changed', organizationId, actorId, subjectId: id, detail });
  tx.afterCommit(() => {
    tx.services.changes.nudge([organizationId]);
    tx.services.jobs.nudge('deliveries');
  });
}

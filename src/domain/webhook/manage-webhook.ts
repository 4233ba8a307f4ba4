import sql from 'sql-template-tag';
import { command, noFields } from '../../engine/command.ts';
import { recordAudit } from '../audit/audit.ts';
import type { WithSecret } from './create-webhook.ts';
import { deliveriesOf } from './delivery-jobs.ts';
import { lockWebhook } from './lock-webhook.ts';
import { addSecret } from './webhook-secrets.ts';

/** Deletes a webhook with everything that waits, and its log. */
export const deleteWebhook = command<'organization', object, { id: string }>({
  access: 'organization',
  role: 'owner',
  people: true,
  small: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, { id: given }) => {
    const webhook = await lockWebhook(tx, given);
    const { id } = webhook;
    await tx.db.run(sql`delete from job where ${deliveriesOf(sql`${id}::uuid`)}`);
    await tx.em.remove(webhook).flush();
    const { organizationId } = tx.membership;
    await recordAudit(tx, { action: 'webhook.deleted', organizationId, actorId: tx.viewer.userId, subjectId: id });
    return { id };
  },
});

/** Gives a webhook a new secret; the old one signs beside it for a day. */
export const rotateWebhookSecret = command<'organization', object, WithSecret>({
  access: 'organization',
  role: 'owner',
  people: true,
  small: true,
  secret: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, { id: given }) => {
    const { id } = await lockWebhook(tx, given);
    const secret = await addSecret(tx, id);
    const { organizationId } = tx.membership;
    const entry = { action: 'webhook.secret_changed' as const, actorId: tx.viewer.userId, subjectId: id };
    await recordAudit(tx, { ...entry, organizationId });
    return { id, secret };
  },
});

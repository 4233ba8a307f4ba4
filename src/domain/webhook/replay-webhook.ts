import { z } from 'zod';
import { command } from '../../engine/command.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { text } from '../../kernel/input/text.ts';
import { parseTimestamp } from '../../kernel/scalars.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockWebhook } from './lock-webhook.ts';
import type { Webhook } from './webhook.entity.ts';
import { placeBefore, placeOf, redirect, setPlace } from './webhook-place.ts';

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

/**
 * Moves a webhook back to a place in the log that it has passed, so that what follows is sent again. It is never moved
 * ahead; what it has still to deliver is not doubled.
 */
export const replayWebhook = command<'organization', z.output<typeof replayInput>, { id: string }>({
  access: 'organization',
  role: 'owner',
  people: true,
  input: replayInput,
  errors: ['NOT_FOUND'],
  run: async (tx, { since }, { id: given }) => {
    const webhook = await lockWebhook(tx, given);
    await replaySince(tx, webhook, since);
    return { id: webhook.id };
  },
});

/** Moves a locked webhook back, with its audit entry. */
export async function replaySince(tx: Transaction, webhook: Webhook, since: string): Promise<void> {
  const { id, organization_id: organizationId } = webhook;
  const own = placeOf(webhook);
  const place = since === 'start' ? null : await placeBefore(tx.db, organizationId, since, own);
  await tx.db.run(setPlace(id, place, true));
  await tx.db.run(redirect(webhook));
  const actorId = tx.viewer?.userId ?? null;
  await recordAudit(tx, { action: 'webhook.replayed', organizationId, actorId, subjectId: id, detail: { since } });
  tx.afterCommit(() => tx.services.deliveries.nudge());
}

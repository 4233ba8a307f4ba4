import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { type Transaction, transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseInput } from '../../kernel/input/parse-input.ts';
import { tables } from '../tables/tables.ts';
import { changeWebhook, findLocked } from '../webhook/manage-webhook.ts';
import { replayInput, replaySince } from '../webhook/resend.ts';
import type { Webhook } from '../webhook/webhook.entity.ts';
import { pending } from '../webhook/webhook-place.ts';
import { ifGiven, type OperatorPage, operatorPage } from './page.ts';

const webhooks = tables
  .selectFrom('webhook as w')
  .innerJoin('organization as o', 'o.id', 'w.organization_id')
  .where('o.deleted_at', 'is', null);

/** Of all organizations or of one; `failing`: the last attempt failed, or the webhook was disabled. */
export async function listWebhooks(
  { db }: Context,
  { organizationId, failing }: { organizationId: string | null; failing: boolean },
  page: OperatorPage,
) {
  const found = webhooks
    .select(['w.id', 'w.organization_id', 'w.url', 'w.status', 'w.status_reason'])
    .select(['w.last_success_at', 'w.last_failure_at', pending.as('pending')])
    .where((eb) => ifGiven(organizationId, (id) => eb('w.organization_id', '=', id)))
    .$if(failing, (all) =>
      all.where((eb) => eb.or([eb('w.failing_since', 'is not', null), eb('w.status', '=', 'disabled')])),
    );
  return await db.rows(operatorPage(found, 'w.id', page));
}

/** Resumes even a disabled webhook, where it stopped. @throws DomainError NOT_FOUND */
export async function setWebhookStatus(ctx: Context, given: string, status: 'active' | 'paused'): Promise<void> {
  await withWebhook(ctx, given, (tx, webhook) => changeWebhook(tx, webhook, { status }));
}

/** Resends what followed a time, or `start`. @throws DomainError NOT_FOUND, VALIDATION_ERROR */
export async function replayWebhookSince(ctx: Context, given: string, since: string): Promise<void> {
  const input = parseInput(replayInput, { since });
  await withWebhook(ctx, given, (tx, webhook) => replaySince(tx, webhook, input.since));
}

const organizationOf = prepared((at: { id: string }) => webhooks.select('w.organization_id').where('w.id', '=', at.id));

async function withWebhook(
  ctx: Context,
  given: string,
  change: (tx: Transaction, webhook: Webhook) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const id = parseUuid(given);
    const found = id && (await tx.db.row(organizationOf({ id })));
    if (!found) throw new DomainError('NOT_FOUND');
    await change(tx, await findLocked(tx, id, found.organization_id));
  });
}

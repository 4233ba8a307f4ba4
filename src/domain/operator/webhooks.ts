import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { type Transaction, transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseInput } from '../../kernel/input/parse-input.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { changeWebhook, findLocked } from '../webhook/manage-webhook.ts';
import { replayInput, replaySince } from '../webhook/resend.ts';
import type { Webhook } from '../webhook/webhook.entity.ts';
import { pending } from '../webhook/webhook-place.ts';
import { ifGiven, type OperatorPage, operatorPageSql } from './page.ts';

/** Webhooks of all organizations or of one; `failing` are those whose last try failed, or that were disabled. */
export async function listWebhooks(
  { db }: Context,
  { organizationId, failing }: { organizationId: string | null; failing: boolean },
  page: OperatorPage,
): Promise<Record<string, unknown>[]> {
  const theirs = ifGiven(organizationId, (id) => sql`t.organization_id = ${id}::uuid`);
  const ill = failing ? sql`(t.failing_since is not null or t.status = 'disabled')` : sql`true`;
  return await db.rows(sql`select t.id, t.organization_id, t.url, t.status, t.status_reason, t.last_success_at, t.last_failure_at,
      (select ${pending} from webhook w where w.id = t.id) as pending
    from webhook t join organization o on o.id = t.organization_id
    ${operatorPageSql(sql`o.deleted_at is null and ${theirs} and ${ill}`, page)}`);
}

/** Pauses a webhook, or lets it go on where it stopped, also one that was disabled. @throws DomainError NOT_FOUND */
export async function setWebhookStatus(ctx: Context, given: string, status: 'active' | 'paused'): Promise<void> {
  await withWebhook(ctx, given, (tx, webhook) => changeWebhook(tx, webhook, { status }));
}

/** Sends again what followed a time, or `start`. @throws DomainError NOT_FOUND, VALIDATION_ERROR */
export async function replayWebhookSince(ctx: Context, given: string, since: string): Promise<void> {
  const input = parseInput(replayInput, { since });
  await withWebhook(ctx, given, (tx, webhook) => replaySince(tx, webhook, input.since));
}

async function withWebhook(
  ctx: Context,
  given: string,
  change: (tx: Transaction, webhook: Webhook) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const found = await tx.db.row<{ organization_id: string }>(sql`select w.organization_id
        from webhook w join organization o on o.id = w.organization_id
        where w.id = ${parseUuid(given)}::uuid and o.deleted_at is null`);
    if (!found) throw new DomainError('NOT_FOUND');
    await change(tx, await findLocked(tx, given, found.organization_id));
  });
}

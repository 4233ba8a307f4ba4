import { parseUuid } from '#input-values';
import { built } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { endKey, requireKey } from '../api-key/manage-api-keys.ts';
import { lockOrganization } from '../organization/lock.ts';
import { tables } from '../tables/tables.ts';
import { ifGiven, type OperatorPage, operatorPage } from './page.ts';

const keys = tables
  .selectFrom('api_key as k')
  .innerJoin('user as u', 'u.id', 'k.id')
  .select(['k.id', 'k.organization_id', 'u.name', 'k.prefix', 'k.role', 'k.access', 'k.webhooks'])
  .select(['k.created_at', 'k.last_used_at', 'k.expires_at'])
  .where('k.ended_at', 'is', null);

export async function listKeys(
  { db }: Context,
  { organizationId }: { organizationId: string | null },
  page: OperatorPage,
) {
  const theirs = keys.where((eb) => ifGiven(organizationId, (id) => eb('k.organization_id', '=', id)));
  return await db.rows(operatorPage(theirs, 'k.id', page));
}

/** @throws DomainError NOT_FOUND if it is unknown or has ended */
export async function showKey({ db }: Pick<Context, 'db'>, given: string) {
  const id = parseUuid(given);
  const key = id && (await db.row(built(keys.where('k.id', '=', id))));
  if (!key) throw new DomainError('NOT_FOUND');
  return key;
}

/** It stops working within 5 seconds. @throws DomainError NOT_FOUND */
export async function endApiKey(ctx: Context, given: string): Promise<void> {
  await smallTransaction(ctx, async (tx) => {
    const { id, organization_id: organizationId } = await showKey(tx, given);
    await lockOrganization(tx.db, organizationId);
    await endKey(tx, await requireKey(tx, organizationId, id));
  });
}

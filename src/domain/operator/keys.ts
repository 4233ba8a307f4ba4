import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { endKey, requireKey } from '../api-key/manage-api-keys.ts';
import { lockOrganization } from '../organization/lock.ts';
import { ifGiven, type OperatorPage, operatorPageSql } from './page.ts';

interface KeyRow extends Record<string, unknown> {
  id: string;
  organization_id: string;
  name: string;
}

const rows = sql`select t.id, t.organization_id, u.name, t.prefix, t.role, t.access, t.created_at, t.last_used_at, t.expires_at
    from api_key t join "user" u on u.id = t.id`;

/** API keys that have not ended, of all organizations or of one. */
export async function listKeys(
  { db }: Context,
  { organizationId }: { organizationId: string | null },
  page: OperatorPage,
): Promise<KeyRow[]> {
  const theirs = ifGiven(organizationId, (id) => sql`t.organization_id = ${id}::uuid`);
  return await db.rows(sql`${rows} ${operatorPageSql(sql`t.ended_at is null and ${theirs}`, page)}`);
}

/** A key that has not ended. @throws DomainError NOT_FOUND */
export async function showKey({ db }: Pick<Context, 'db'>, given: string): Promise<KeyRow> {
  const key = await db.row<KeyRow>(sql`${rows} where t.id = ${parseUuid(given)}::uuid and t.ended_at is null`);
  if (!key) throw new DomainError('NOT_FOUND');
  return key;
}

/** Ends a key for good; it stops working within 5 seconds. @throws DomainError NOT_FOUND */
export async function endApiKey(ctx: Context, given: string): Promise<void> {
  await smallTransaction(ctx, async (tx) => {
    const { id, organization_id: organizationId } = await showKey(tx, given);
    await lockOrganization(tx.db, organizationId);
    await endKey(tx, await requireKey(tx, organizationId, id));
  });
}

import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';

/**
 * Nothing that would be lost with the account: no membership or subscription, which an unverified account has only from
 * an import, and no valid mailed link.
 */
const nothingAttached: Sql = sql`u.verified_at is null
  and not exists (select from membership m where m.user_id = u.id)
  and not exists (select from subscription s where s.user_id = u.id)
  and not exists (select from one_time_token t where t.user_id = u.id and t.expires_at > now())`;

/**
 * Deletes accounts from sign-ups that were not verified within `days`, the oldest first, and pending sign-ups whose
 * account is verified. Imported accounts are never deleted: nobody signed up for them.
 *
 * @returns a batch of them, or fewer if there are no more
 */
export async function deleteUnprovenAccounts(db: Database, days: number, batchSize: number): Promise<unknown[]> {
  const old = sql`p.created_at < now() - make_interval(days => ${days})`;
  const proven = await db.rows(sql`delete from pending_sign_up where user_id in (
      select p.user_id from pending_sign_up p join "user" u on u.id = p.user_id
      where ${old} and u.verified_at is not null order by p.created_at limit ${batchSize} for update of p skip locked)
    returning 1 as gone`);
  if (proven.length === batchSize) return proven;
  return await db.transaction(async (inner) => {
    const accounts = await inner.rows<{
      id: string;
    }>(sql`select u.id from pending_sign_up p join "user" u on u.id = p.user_id
        where ${old} and ${nothingAttached} order by p.created_at limit ${batchSize} for update of u skip locked`);
    if (accounts.length === 0) return accounts;
    // checked again under the lock: this statement sees what was attached before, and nothing can be attached any more
    await inner.rows(
      sql`delete from "user" u where u.id = any(${accounts.map(({ id }) => id)}::uuid[]) and ${nothingAttached}`,
    );
    return accounts;
  });
}

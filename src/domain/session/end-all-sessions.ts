import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { recordAudit } from '../audit/audit.ts';

/**
 * Ends the sessions of all users when the secrets that sign them are revoked; the database notifies every process.
 *
 * @param revoked the kinds of revoked secrets, for the audit trail
 * @returns the number of sessions
 */
export async function endAllSessions(ctx: Pick<Context, 'db' | 'client'>, revoked: string[]): Promise<number> {
  return await ctx.db.transaction(async (db) => {
    // waits for sessions that are being started, and prevents deadlocks over rows
    await db.rows(sql`lock table session in share row exclusive mode`);
    const ended =
      await db.rows(sql`update session set ended_at = now(), end_reason = 'key_revoked' where ended_at is null and expires_at > now()
          returning id`);
    await recordAudit({ ...ctx, db }, { action: 'keys.revoked', detail: { keys: revoked, sessions: ended.length } });
    return ended.length;
  });
}

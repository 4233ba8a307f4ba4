import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { recordAudit } from '../audit/audit.ts';
import { now, tables } from '../tables/tables.ts';

const endAll = prepared(() =>
  tables
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'key_revoked' })
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id'),
);

/**
 * Ends all sessions when the secrets that sign them are revoked; the database notifies every process.
 * @param revoked the kinds of secrets, for the audit trail
 * @returns the number of sessions
 */
export async function endAllSessions(ctx: Pick<Context, 'db' | 'client'>, revoked: string[]): Promise<number> {
  return await ctx.db.transaction(async (db) => {
    // waits for sessions that are being started, and prevents deadlocks
    await db.rows(sql`lock table session in share row exclusive mode`.compile(tables));
    const ended = await db.rows(endAll({}));
    await recordAudit({ ...ctx, db }, { action: 'keys.revoked', detail: { keys: revoked, sessions: ended.length } });
    return ended.length;
  });
}

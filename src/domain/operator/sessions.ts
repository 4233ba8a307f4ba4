import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { endSessions } from '../session/own-sessions.ts';
import { livingSession } from '../session/session-life.ts';
import { ifGiven, type OperatorPage, operatorPageSql } from './page.ts';

/** Active sessions, of all users or of one. */
export async function listSessions(
  { db }: Context,
  { userId }: { userId: string | null },
  page: OperatorPage,
): Promise<Record<string, unknown>[]> {
  const theirs = ifGiven(userId, (id) => sql`t.user_id = ${id}::uuid`);
  return await db.rows(sql`select t.id, t.user_id, u.email, t.created_at, t.last_used_at, t.expires_at, t.ip, t.user_agent
    from session t join "user" u on u.id = t.user_id ${operatorPageSql(sql`${livingSession} and ${theirs}`, page)}`);
}

/** Ends a session. @throws DomainError NOT_FOUND unless it is active */
export async function endNamedSession(ctx: Context, given: string): Promise<void> {
  const id = parseUuid(given);
  await smallTransaction(ctx, async (tx) => {
    const session = await tx.db.row<{ user_id: string }>(sql`select user_id from session where id = ${id}::uuid`);
    const ended = id && session ? await endSessions(tx, { userId: session.user_id, only: id, reason: 'ended' }) : [];
    if (ended.length === 0) throw new DomainError('NOT_FOUND');
  });
}

import { parseUuid } from '#input-values';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { endSessions } from '../session/own-sessions.ts';
import { Session } from '../session/session.table.ts';
import { isLiving } from '../session/session-life.ts';
import { tables } from '../tables/tables.ts';
import { ifGiven, type OperatorPage, operatorPage } from './page.ts';

export async function listSessions({ db }: Context, { userId }: { userId: string | null }, page: OperatorPage) {
  const sessions = tables
    .selectFrom('session')
    .innerJoin('user as u', 'u.id', 'session.user_id')
    .select(['session.id', 'session.user_id', 'u.email', 'session.created_at', 'session.last_used_at'])
    .select(['session.expires_at', 'session.ip', 'session.user_agent'])
    .where(isLiving)
    .where((eb) => ifGiven(userId, (id) => eb('session.user_id', '=', id)));
  return await db.rows(operatorPage(sessions, 'session.id', page));
}

/** @throws DomainError NOT_FOUND unless the session is active */
export async function endNamedSession(ctx: Context, given: string): Promise<void> {
  const id = parseUuid(given);
  await smallTransaction(ctx, async (tx) => {
    const session = id && (await tx.em.findOne(Session, { id }));
    const ended = session ? await endSessions(tx, { userId: session.user_id, only: id, reason: 'ended' }) : [];
    if (ended.length === 0) throw new DomainError('NOT_FOUND');
  });
}

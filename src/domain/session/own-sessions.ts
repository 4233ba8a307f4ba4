import { sql } from 'kysely';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { command, forOwnAccount, noFields } from '../../engine/command.ts';
import type { Context } from '../../engine/context.ts';
import { serveToViewer } from '../../engine/list/served-list.ts';
import { afterCommit } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { now, tables } from '../tables/tables.ts';
import { type SessionRow, sessionResource } from './session.resource.ts';
import { isLiving, livingSession } from './session-life.ts';

export const ownSessions = serveToViewer<SessionRow>({
  resource: sessionResource,
  people: true,
  source: ({ viewer }) =>
    tables
      .selectFrom('session as s')
      .selectAll('s')
      .select(sql<boolean>`s.id = ${viewer.sessionId}::uuid`.as('current')),
  visible: ({ owner }) => sql`t.user_id = ${owner}::uuid and ${livingSession}`,
  // not a replica, which may still have a session that was just ended
  from: 'write',
});

type EndReason = 'ended' | 'password_changed';

export const endOwnSession = command({
  name: 'endSession',
  description: "Ends one of the viewer's sessions, with its access tokens.",
  object: 'session',
  ...forOwnAccount,
  small: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, { id }) => {
    const only = parseUuid(id);
    const ended = only === null ? [] : await endSessions(tx, { userId: tx.viewer.userId, only, reason: 'ended' });
    if (ended.length === 0) throw new DomainError('NOT_FOUND');
    forgetSessions(tx, ended);
  },
});

export const endOtherSessions = command({
  name: 'endOtherSessions',
  description: "Ends all of the viewer's sessions except the current one.",
  ...forOwnAccount,
  small: true,
  input: noFields,
  errors: [],
  run: async (tx) => {
    const { userId, sessionId } = tx.viewer;
    const ended = await endSessions(tx, { userId, except: sessionId, reason: 'ended' });
    forgetSessions(tx, ended);
    return { count: ended.length };
  },
});

// locked in one order, so that sessions that end each other do not deadlock
const endChosen = prepared((at: { userId: string; only: string | null; except: string | null; reason: EndReason }) =>
  tables
    .with('chosen', (db) =>
      db
        .selectFrom('session')
        .select('id')
        .where('user_id', '=', at.userId)
        .where(isLiving)
        .where(sql<boolean>`(${at.only}::uuid is null or id = ${at.only}::uuid)`)
        .where(sql<boolean>`(${at.except}::uuid is null or id <> ${at.except}::uuid)`)
        .orderBy('id')
        .forUpdate(),
    )
    .updateTable('session')
    .from('chosen')
    .set({ ended_at: now, end_reason: at.reason })
    .whereRef('session.id', '=', 'chosen.id')
    .returning('session.id'),
);

/** Ends sessions with an audit entry, and returns their ids; call {@link forgetSessions} afterwards. */
export async function endSessions(
  ctx: Pick<Context, 'db' | 'client' | 'viewer'>,
  input: { userId: string; only?: string; except?: string; reason: EndReason },
): Promise<string[]> {
  const { userId, only, except, reason } = input;
  const rows = await ctx.db.rows(endChosen({ userId, only: only ?? null, except: except ?? null, reason }));
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) {
    const detail = ids.length === 1 ? { session: ids[0], reason } : { sessions: ids.length, reason };
    const actorId = ctx.viewer?.userId ?? null;
    await recordAudit(ctx, { action: 'session.ended', actorId, subjectId: userId, detail });
  }
  return ids;
}

/** In this process, after the commit; the database notifies the others. */
export function forgetSessions(ctx: Context, ids: readonly string[]): void {
  afterCommit(ctx, () => {
    for (const id of ids) ctx.services.access.forgetSession(id);
  });
}

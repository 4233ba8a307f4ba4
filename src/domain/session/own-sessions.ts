import sql from 'sql-template-tag';
import { command, noFields } from '../../engine/command.ts';
import type { Context } from '../../engine/context.ts';
import { serveToViewer } from '../../engine/list/served-list.ts';
import { afterCommit } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { recordAudit } from '../audit/audit.ts';
import { type SessionRow, sessionResource } from './session.resource.ts';
import { livingSession } from './session-life.ts';

/** The viewer's active sessions, oldest first. */
export const ownSessions = serveToViewer<SessionRow>({
  resource: sessionResource,
  people: true,
  list: ({ viewer: { userId, sessionId } }) => ({
    owner: userId,
    source: sql`select s.*, s.id = ${sessionId}::uuid as current from session s`,
    visible: sql`t.user_id = ${userId}::uuid and ${livingSession}`,
    // not a replica: a session that was just ended must not appear
    from: 'write',
  }),
});

/** NOT_FOUND if it belongs to another user or has ended. */
export const endOwnSession = command({
  name: 'endSession',
  description: "Ends one of the viewer's sessions, with its access tokens.",
  object: 'session',
  access: 'user',
  ofAccount: true,
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

/** Returns their number. */
export const endOtherSessions = command({
  name: 'endOtherSessions',
  description: "Ends all of the viewer's sessions except the current one.",
  access: 'user',
  ofAccount: true,
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

/**
 * Ends sessions of a user, with an audit entry, in the transaction of `ctx`; call {@link forgetSessions} after it.
 * Returns their ids.
 */
export async function endSessions(
  ctx: Pick<Context, 'db' | 'client' | 'viewer'>,
  input: { userId: string; only?: string; except?: string; reason: 'ended' | 'password_changed' },
): Promise<string[]> {
  const { userId, only, except, reason } = input;
  // locked in one order, so that two sessions that end each other at the same time do not deadlock
  const rows = await ctx.db.rows<{ id: string }>(sql`with chosen as (
          select id from session t
          where t.user_id = ${userId}::uuid and ${livingSession}
            and (${only ?? null}::uuid is null or t.id = ${only ?? null}::uuid)
            and (${except ?? null}::uuid is null or t.id <> ${except ?? null}::uuid)
          order by id for update
        )
        update session set ended_at = now(), end_reason = ${reason}
        from chosen where session.id = chosen.id returning session.id`);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) {
    const detail = ids.length === 1 ? { session: ids[0], reason } : { sessions: ids.length, reason };
    const actorId = ctx.viewer?.userId ?? null;
    await recordAudit(ctx, { action: 'session.ended', actorId, subjectId: userId, detail });
  }
  return ids;
}

/** Evicts ended sessions from this process's cache after the commit; the database notifies the other processes. */
export function forgetSessions(ctx: Context, ids: readonly string[]): void {
  afterCommit(ctx, () => {
    for (const id of ids) ctx.services.access.forgetSession(id);
  });
}

import sql from 'sql-template-tag';
import { recordAudit } from '../audit/audit.ts';
import type { Context, ViewerContext } from '../context.ts';
import { rows } from '../database.ts';
import { DomainError } from '../errors.ts';
import type { Condition } from '../list/condition.ts';
import type { Count } from '../list/count.ts';
import type { ListInput } from '../list/list.ts';
import { findOwnRows, type OwnList, readOwnCount, readOwnPage } from '../list/own-list.ts';
import type { Page } from '../list/page.ts';
import { parseUuid } from '../uuid.ts';
import { type SessionRow, sessionResource } from './session.resource.ts';
import { livingSession } from './session-life.ts';

/**
 * A page of the viewer's own sessions that live, oldest first.
 *
 * @throws DomainError INVALID_CURSOR
 */
export async function listSessions(ctx: ViewerContext, input: ListInput): Promise<Page<SessionRow>> {
  return readOwnPage<SessionRow>(ctx, sessionList(ctx), input);
}

/** How many sessions the list would hold, up to `max` where it is given. */
export async function countSessions(ctx: ViewerContext, where: Condition, max?: number): Promise<Count> {
  return readOwnCount(ctx, sessionList(ctx), where, max);
}

/** The viewer's own living sessions of these ids, in no order. */
export async function findSessions(
  ctx: ViewerContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<SessionRow[]> {
  return findOwnRows<SessionRow>(ctx, sessionList(ctx), ids, columns);
}

/**
 * Ends one of the viewer's own sessions, with its access tokens.
 *
 * @throws DomainError NOT_FOUND for what is not the viewer's, or has ended
 */
export async function endOwnSession(ctx: ViewerContext, id: string): Promise<void> {
  const uuid = parseUuid(id);
  if (!uuid) throw new DomainError('NOT_FOUND');
  const ended = await ctx.em.transactional((em) =>
    endSessions({ ...ctx, em }, { userId: ctx.viewer.userId, only: uuid, reason: 'ended' }),
  );
  if (ended.length === 0) throw new DomainError('NOT_FOUND');
  forgetSessions(ctx, ended);
}

/** Ends all of the viewer's sessions but the one of this request; how many those were. */
export async function endOtherSessions(ctx: ViewerContext): Promise<number> {
  const ended = await ctx.em.transactional((em) =>
    endSessions({ ...ctx, em }, { userId: ctx.viewer.userId, except: ctx.viewer.sessionId, reason: 'ended' }),
  );
  forgetSessions(ctx, ended);
  return ended.length;
}

/**
 * Ends sessions of a user, with an audit entry, in the transaction of `ctx.em`; {@link forgetSessions} makes it known
 * to this process once that is committed. Their ids.
 */
export async function endSessions(
  ctx: Pick<Context, 'em' | 'client' | 'viewer'>,
  input: { userId: string; only?: string; except?: string; reason: 'ended' | 'password_changed' },
): Promise<string[]> {
  const { userId, only, except, reason } = input;
  // locked in one order: two sessions that end one another at the same time wait, and do not deadlock
  const found = await rows<{ id: string }>(
    ctx.em,
    sql`with chosen as (
          select id from session t
          where t.user_id = ${userId}::uuid and ${livingSession}
            and (${only ?? null}::uuid is null or t.id = ${only ?? null}::uuid)
            and (${except ?? null}::uuid is null or t.id <> ${except ?? null}::uuid)
          order by id for update
        )
        update session set ended_at = now(), end_reason = ${reason}
        from chosen where session.id = chosen.id returning session.id`,
  );
  const ids = found.map(({ id }) => id);
  if (ids.length > 0) {
    const detail = ids.length === 1 ? { session: ids[0], reason } : { sessions: ids.length, reason };
    const actorId = ctx.viewer?.userId ?? null;
    await recordAudit(ctx, { action: 'session.ended', actorId, subjectId: userId, detail });
  }
  return ids;
}

/** Makes the end of sessions known to this process at once; others hear of it from the database. */
export function forgetSessions({ services }: Pick<Context, 'services'>, ids: readonly string[]): void {
  for (const id of ids) services.access.forgetSession(id);
}

function sessionList(ctx: ViewerContext): OwnList {
  const { userId, sessionId } = ctx.viewer;
  return {
    resource: sessionResource,
    owner: userId,
    source: sql`select s.*, s.id = ${sessionId}::uuid as current from session s`,
    visible: sql`t.user_id = ${userId}::uuid and ${livingSession}`,
    // a session that was ended a moment ago must be gone
    from: 'write',
  };
}

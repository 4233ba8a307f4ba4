import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { signals } from '../../kernel/usage.ts';
import { recordAudit, truncate } from '../audit/audit.ts';
import { findAccountKey, limitLogin } from './login-limit.ts';
import { hashPassword, needsRehash, verifyPassword } from './password.ts';
import type { RefreshClaims } from './refresh-token.ts';
import { idleDays } from './session-life.ts';

/** The result of a sign-in or a refresh. `expires` is the expiry of the access token in Unix milliseconds. */
export interface Credentials {
  accessToken: string;
  expires: number;
  refreshToken: string;
}

/** Why a session ended. */
type EndReason = 'logout' | 'refresh_reused';

interface Account {
  id: string;
  password_hash: string | null;
  verified: boolean;
}

/**
 * Signs in with e-mail and password and starts a session.
 *
 * Every refused attempt costs one password check, so that its duration does not reveal whether the address has an account.
 * USER_NOT_VERIFIED is returned only if the password is correct (interface/sign-in.md).
 *
 * @throws DomainError INVALID_CREDENTIALS, USER_NOT_VERIFIED, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function login(ctx: Context, input: { email: string; password: string }): Promise<Credentials> {
  return await limitLogin(ctx, await findAccountKey(ctx, input.email), () => attemptLogin(ctx, input));
}

async function attemptLogin(ctx: Context, input: { email: string; password: string }): Promise<Credentials> {
  const account = await ctx.db.row<Account>(
    sql`select id, password_hash, verified_at is not null as verified from "user" where mailbox = ${mailboxOf(input.email)}`,
  );
  const matches = await verifyPassword(account?.password_hash ?? null, input.password);
  if (!account || !matches) {
    // also for an unknown address, so that both refusals take the same time
    const reason = account ? 'wrong_password' : 'unknown_address';
    await recordAudit(ctx, { action: 'session.refused', subjectId: account?.id, detail: { reason } });
    throw new DomainError('INVALID_CREDENTIALS');
  }
  if (!account.verified) {
    await recordAudit(ctx, { action: 'session.refused', subjectId: account.id, detail: { reason: 'not_verified' } });
    throw new DomainError('USER_NOT_VERIFIED');
  }
  // each sign-in adds rows, like any other write
  await spend(ctx, { rule: 'sign_in', key: account.id });
  const hash = await renewHash(ctx, account, input.password);
  const sessionId = await startSession(ctx, account.id, hash);
  return await issueCredentials(ctx, account.id, { sessionId, counter: 0 });
}

/** Rehashes a password if the cost parameters have changed; returns the hash that the account should have now. */
async function renewHash(ctx: Context, { id, password_hash: hash }: Account, password: string): Promise<string | null> {
  if (hash === null || !needsRehash(hash)) return hash;
  const renewed = await hashPassword(password);
  // does not overwrite a password that was changed in the meantime
  const row = await ctx.db.row(
    sql`update "user" set password_hash = ${renewed} where id = ${id} and password_hash = ${hash} returning id`,
  );
  if (row) return renewed;
  // another sign-in renewed the hash first, or the password was changed
  const now = await ctx.db.row<Account>(sql`select password_hash from "user" where id = ${id}`);
  return (await verifyPassword(now?.password_hash ?? null, password)) ? (now?.password_hash ?? null) : hash;
}

/**
 * Starts a session for a user whose password was just checked, with its audit entry. The row lock waits for a concurrent
 * change of the password, which ends all sessions, so that no session starts with the old password afterwards.
 *
 * @throws DomainError INVALID_CREDENTIALS if the password was changed in the meantime
 */
async function startSession(ctx: Context, userId: string, hash: string | null): Promise<string> {
  const id = randomUUIDv7();
  const { ip, userAgent } = ctx.client;
  await smallTransaction(ctx, async (tx) => {
    // all times of a session are database time, so that the processes' clocks need not agree
    const started =
      await tx.db.row(sql`insert into session (id, user_id, counter, created_at, last_used_at, expires_at, ip, user_agent)
          select ${id}::uuid, id, 0, now(), now(), now() + make_interval(days => ${ctx.services.settings.sessionMaxDays}),
            ${truncate(ip, 64)}, ${truncate(userAgent, 400)}
          from "user" where id = ${userId} and password_hash = ${hash} for share
          returning id`);
    if (!started) throw new DomainError('INVALID_CREDENTIALS');
    // what they did before, by links in mails, was nobody's
    tx.db.writer = userId;
    await recordAudit(tx, { action: 'session.started', actorId: userId, subjectId: userId, detail: { session: id } });
  });
  return id;
}

/**
 * Exchanges a refresh token for its successor and a new access token (interface/sign-in.md#refresh). For a few seconds, and
 * only until the successor is used, the old token is accepted again and gives the same successor. Any other use of an old
 * token means that two parties have it, and ends the session.
 *
 * @throws DomainError INVALID_TOKEN
 */
export async function refresh(ctx: Context, input: { refreshToken: string }): Promise<Credentials> {
  const claims = ctx.services.refreshTokens.verify(input.refreshToken);
  if (!claims) throw new DomainError('INVALID_TOKEN');
  const child = { sessionId: claims.sessionId, counter: claims.counter + 1 };
  const userId = (await rotate(ctx, claims)) ?? (await acceptParent(ctx, claims));
  return await issueCredentials(ctx, userId, child);
}

/** Increments the counter in one statement, so that exactly one of several concurrent attempts succeeds. */
async function rotate(ctx: Context, { sessionId, counter }: RefreshClaims): Promise<string | undefined> {
  const rotated = await ctx.db.row<{
    user_id: string;
  }>(sql`update session set counter = counter + 1, rotated_at = now(), last_used_at = now()
        where id = ${sessionId} and counter = ${counter} and ended_at is null and expires_at > now()
          and last_used_at > now() - make_interval(days => ${idleDays})
        returning user_id`);
  return rotated?.user_id;
}

/** Handles a token that was not the newest: the previous one within its grace period, a reused one, or one of an ended session. */
async function acceptParent(ctx: Context, { sessionId, counter }: RefreshClaims): Promise<string> {
  const grace = ctx.services.settings.refreshGraceSeconds;
  const row = await ctx.db.row<{ user_id: string; alive: boolean; old: boolean; parent: boolean }>(sql`select user_id,
          ended_at is null and expires_at > now() and last_used_at > now() - make_interval(days => ${idleDays}) as alive,
          counter > ${counter} as old,
          counter - 1 = ${counter} and ${grace} > 0 and rotated_at > now() - make_interval(secs => ${grace}) as parent
        from session where id = ${sessionId}`);
  if (!row?.alive) throw new DomainError('INVALID_TOKEN');
  if (row.parent) return row.user_id;
  // a counter ahead of ours is from before the database was restored: refused, but not a sign of theft
  if (row.old) {
    await endSession(ctx, { sessionId, reason: 'refresh_reused', actorId: null });
    signals.emit('sessionReplayed');
  }
  throw new DomainError('INVALID_TOKEN');
}

/** Ends the session of the refresh token or, without a valid one, of the access token; no error if there is none. */
export async function logout(
  ctx: Context,
  input: { refreshToken: string | null; accessToken: string | null },
): Promise<void> {
  const sessionId = findByRefreshToken(ctx, input.refreshToken) ?? (await findByAccessToken(ctx, input.accessToken));
  if (sessionId !== null) await endSession(ctx, { sessionId, reason: 'logout' });
}

function findByRefreshToken(ctx: Context, token: string | null): string | null {
  return token === null ? null : (ctx.services.refreshTokens.verify(token)?.sessionId ?? null);
}

async function findByAccessToken(ctx: Context, token: string | null): Promise<string | null> {
  if (token === null) return null;
  try {
    return (await ctx.services.accessTokens.verify(token)).sessionId;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * Ends a session and its access tokens, with an audit entry; returns whether it was active.
 *
 * @param input.actorId who ends it; by default the session's user
 */
export async function endSession(
  ctx: Context,
  input: { sessionId: string; reason: EndReason; actorId?: string | null },
): Promise<boolean> {
  const { sessionId, reason } = input;
  const ended = await smallTransaction(ctx, async (tx) => {
    const row = await tx.db.row<{
      user_id: string;
    }>(sql`update session set ended_at = now(), end_reason = ${reason} where id = ${sessionId} and ended_at is null
          returning user_id`);
    if (!row) return false;
    const action = reason === 'refresh_reused' ? 'session.refresh_reused' : 'session.ended';
    const actorId = input.actorId === undefined ? row.user_id : input.actorId;
    await recordAudit(tx, { action, actorId, subjectId: row.user_id, detail: { session: sessionId, reason } });
    return true;
  });
  // the database notifies other processes
  ctx.services.access.forgetSession(sessionId);
  return ended;
}

async function issueCredentials(ctx: Context, userId: string, claims: RefreshClaims): Promise<Credentials> {
  const { accessTokens, refreshTokens } = ctx.services;
  const { token, expires } = await accessTokens.issue({ userId, sessionId: claims.sessionId, now: ctx.now });
  return { accessToken: token, expires, refreshToken: refreshTokens.issue(claims) };
}

import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import { recordAudit, truncate } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { limitLogin } from './login-limit.ts';
import { hashPassword, needsRehash, verifyPassword } from './password.ts';
import type { RefreshClaims } from './refresh-token.ts';
import { idleDays } from './session-life.ts';

/** What a sign-in or a refresh hands out. `expires` is the end of the access token in Unix milliseconds. */
export interface Credentials {
  accessToken: string;
  expires: number;
  refreshToken: string;
}

/** Why a session came to its end. */
type EndReason = 'logout' | 'refresh_reused';

interface Account {
  id: string;
  password_hash: string | null;
  verified: boolean;
}

/**
 * Signs in with e-mail and password and starts a session.
 *
 * Every refusal of a credential costs one password check, so that its time does not tell which addresses have an
 * account; USER_NOT_VERIFIED is told only to whoever knows the password (decisions §3).
 *
 * @throws DomainError INVALID_CREDENTIALS, USER_NOT_VERIFIED, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function login(ctx: Context, input: { email: string; password: string }): Promise<Credentials> {
  return await limitLogin(ctx, input.email, () => attemptLogin(ctx, input));
}

async function attemptLogin(ctx: Context, input: { email: string; password: string }): Promise<Credentials> {
  const account = await row<Account>(
    ctx.em,
    sql`select id, password_hash, verified_at is not null as verified from "user" where lower(email) = lower(${input.email})`,
  );
  const matches = await verifyPassword(account?.password_hash ?? null, input.password);
  if (!account || !matches) {
    // the entry is written for an unknown address too: it is part of the refusal's cost
    const reason = account ? 'wrong_password' : 'unknown_address';
    await recordAudit(ctx, { action: 'session.refused', subjectId: account?.id, detail: { reason } });
    throw new DomainError('INVALID_CREDENTIALS');
  }
  if (!account.verified) {
    await recordAudit(ctx, { action: 'session.refused', subjectId: account.id, detail: { reason: 'not_verified' } });
    throw new DomainError('USER_NOT_VERIFIED');
  }
  const hash = await renewHash(ctx, account, input.password);
  const sessionId = await startSession(ctx, account.id, hash);
  return await issueCredentials(ctx, account.id, { sessionId, counter: 0 });
}

/** Hashes a password anew where today's cost is another; the hash that the account should have by now. */
async function renewHash(ctx: Context, { id, password_hash: hash }: Account, password: string): Promise<string | null> {
  if (hash === null || !needsRehash(hash)) return hash;
  const renewed = await hashPassword(password);
  // a password that was changed in the meantime stays
  const found = await row(
    ctx.em,
    sql`update "user" set password_hash = ${renewed} where id = ${id} and password_hash = ${hash} returning id`,
  );
  if (found) return renewed;
  // another sign-in was faster, or the password is another by now
  const now = await row<Account>(ctx.em, sql`select password_hash from "user" where id = ${id}`);
  return (await verifyPassword(now?.password_hash ?? null, password)) ? (now?.password_hash ?? null) : hash;
}

/**
 * Starts a session of a user whose password was right a moment ago; with its audit entry, or not at all. The lock makes
 * it wait for a change of the password under way, which ends all sessions: none may start with the old one after it.
 *
 * @throws DomainError INVALID_CREDENTIALS where the password was changed in the meantime
 */
async function startSession(ctx: Context, userId: string, hash: string | null): Promise<string> {
  const id = randomUUIDv7();
  const { ip, userAgent } = ctx.client;
  await ctx.em.transactional(async (em) => {
    // all times of a session are the database's, so that the clocks of several processes need not agree
    const started = await row(
      em,
      sql`insert into session (id, user_id, counter, created_at, last_used_at, expires_at, ip, user_agent)
          select ${id}::uuid, id, 0, now(), now(), now() + make_interval(days => ${ctx.services.settings.sessionMaxDays}),
            ${truncate(ip, 64)}, ${truncate(userAgent, 400)}
          from "user" where id = ${userId} and password_hash = ${hash} for share
          returning id`,
    );
    if (!started) throw new DomainError('INVALID_CREDENTIALS');
    await recordAudit(
      { ...ctx, em },
      { action: 'session.started', actorId: userId, subjectId: userId, detail: { session: id } },
    );
  });
  return id;
}

/**
 * Exchanges a refresh token for its successor and a new access token (decisions §3). Its parent is accepted for a
 * few seconds more, only until the successor was used, and gives that same successor; any other use of an old
 * token means that two parties hold it, and ends the session.
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

/** Moves the counter on, in one statement: of many at once exactly one gets the row. */
async function rotate(ctx: Context, { sessionId, counter }: RefreshClaims): Promise<string | undefined> {
  const rotated = await row<{ user_id: string }>(
    ctx.em,
    sql`update session set counter = counter + 1, rotated_at = now(), last_used_at = now()
        where id = ${sessionId} and counter = ${counter} and ended_at is null and expires_at > now()
          and last_used_at > now() - make_interval(days => ${idleDays})
        returning user_id`,
  );
  return rotated?.user_id;
}

/** Decides about a token that did not rotate: the parent within its grace, a token of a dead session, or a reused one. */
async function acceptParent(ctx: Context, { sessionId, counter }: RefreshClaims): Promise<string> {
  const grace = ctx.services.settings.refreshGraceSeconds;
  const found = await row<{ user_id: string; alive: boolean; old: boolean; parent: boolean }>(
    ctx.em,
    sql`select user_id,
          ended_at is null and expires_at > now() and last_used_at > now() - make_interval(days => ${idleDays}) as alive,
          counter > ${counter} as old,
          counter - 1 = ${counter} and ${grace} > 0 and rotated_at > now() - make_interval(secs => ${grace}) as parent
        from session where id = ${sessionId}`,
  );
  if (!found?.alive) throw new DomainError('INVALID_TOKEN');
  if (found.parent) return found.user_id;
  // a counter that lies ahead is ours as well, from before a restore of the database: refused, but nobody's theft
  if (found.old) await endSession(ctx, { sessionId, reason: 'refresh_reused', actorId: null });
  throw new DomainError('INVALID_TOKEN');
}

/** Ends the session that a refresh token names, else the one that an access token names; nothing to end is no error. */
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
 * Ends a session and its access tokens, with its audit entry; whether there was one alive to end.
 *
 * @param input.actorId who ends it: the session's own user unless given
 */
export async function endSession(
  ctx: Pick<Context, 'em' | 'services' | 'client'>,
  input: { sessionId: string; reason: EndReason; actorId?: string | null },
): Promise<boolean> {
  const { sessionId, reason } = input;
  const ended = await ctx.em.transactional(async (em) => {
    const found = await row<{ user_id: string }>(
      em,
      sql`update session set ended_at = now(), end_reason = ${reason} where id = ${sessionId} and ended_at is null
          returning user_id`,
    );
    if (!found) return false;
    const action = reason === 'refresh_reused' ? 'session.refresh_reused' : 'session.ended';
    const actorId = input.actorId === undefined ? found.user_id : input.actorId;
    await recordAudit(
      { ...ctx, em },
      { action, actorId, subjectId: found.user_id, detail: { session: sessionId, reason } },
    );
    return true;
  });
  // other processes hear of it from the database
  ctx.services.access.forgetSession(sessionId);
  return ended;
}

async function issueCredentials(ctx: Context, userId: string, claims: RefreshClaims): Promise<Credentials> {
  const { accessTokens, refreshTokens } = ctx.services;
  const { token, expires } = await accessTokens.issue({ userId, sessionId: claims.sessionId, now: ctx.now });
  return { accessToken: token, expires, refreshToken: refreshTokens.issue(claims) };
}

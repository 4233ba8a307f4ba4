import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { mailboxOf } from '#input-values';
import { hashPassword, needsRehash, verifyPassword } from '#passwords';
import { prepared, type RowOf } from '#postgres-access';
import type { RefreshClaims } from '#session-tokens';
import type { Context } from '../../engine/context.ts';
import { smallTransaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { signals } from '../../kernel/usage.ts';
import { recordAudit } from '../audit/audit.ts';
import { now, tables } from '../tables/tables.ts';
import { findAccountKey, limitLogin } from './login-limit.ts';
import { isLiving } from './session-life.ts';

/** `expires` is the expiry of the access token in Unix milliseconds. */
export interface Credentials {
  access_token: string;
  token_type: 'Bearer';
  expires: number;
  refresh_token: string;
}

type EndReason = 'logout' | 'refresh_reused';

const accountOf = prepared((at: { mailbox: string }) =>
  tables
    .selectFrom('user')
    .select((eb) => ['id', 'password_hash', eb('verified_at', 'is not', null).as('verified')])
    .where('mailbox', '=', at.mailbox),
);

/**
 * Starts a session. A refused attempt always costs one password check, so that its duration does not reveal whether the
 * address has an account. USER_NOT_VERIFIED only with the correct password (reference/sign-in.md).
 * @throws DomainError INVALID_CREDENTIALS, USER_NOT_VERIFIED, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function login(ctx: Context, input: { email: string; password: string }): Promise<Credentials> {
  return await limitLogin(ctx, await findAccountKey(ctx, input.email), () => attemptLogin(ctx, input));
}

async function attemptLogin(ctx: Context, input: { email: string; password: string }): Promise<Credentials> {
  const account = await ctx.db.row(accountOf({ mailbox: mailboxOf(input.email) }));
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

const replaceHash = prepared((at: { id: string; hash: string; renewed: string }) =>
  tables
    .updateTable('user')
    .set({ password_hash: at.renewed })
    .where(({ and }) => and({ id: at.id, password_hash: at.hash }))
    .returning('id'),
);

const hashOf = prepared((at: { id: string }) =>
  tables.selectFrom('user').select('password_hash').where('id', '=', at.id),
);

/** Rehashes the password if the cost parameters have changed; returns the hash that the account should have now. */
async function renewHash(
  ctx: Context,
  { id, password_hash: hash }: RowOf<typeof accountOf>,
  password: string,
): Promise<string | null> {
  if (hash === null || !needsRehash(hash)) return hash;
  const renewed = await hashPassword(password);
  // does not overwrite a password that was changed in the meantime
  if (await ctx.db.row(replaceHash({ id, hash, renewed }))) return renewed;
  // another sign-in renewed the hash first, or the password was changed
  const current = (await ctx.db.row(hashOf({ id })))?.password_hash ?? null;
  return (await verifyPassword(current, password)) ? current : hash;
}

const lockWithHash = prepared((at: { id: string; hash: string }) =>
  tables.selectFrom('user').select('id').where('id', '=', at.id).where('password_hash', '=', at.hash).forShare(),
);

// all times of a session are database time, so that the processes' clocks need not agree
const insertSession = prepared(
  (at: { id: string; userId: string; days: number; ip: string | null; userAgent: string | null }) =>
    tables.insertInto('session').values({
      id: at.id,
      user_id: at.userId,
      expires_at: sql<string>`now() + make_interval(days => ${at.days})`,
      ip: at.ip,
      user_agent: at.userAgent,
    }),
);

/**
 * Starts a session after the password was checked. The row lock waits for a concurrent change of the password, which ends all
 * sessions, so that no session starts with the old one afterwards.
 * @throws DomainError INVALID_CREDENTIALS if the password was changed in the meantime
 */
async function startSession(ctx: Context, userId: string, hash: string | null): Promise<string> {
  const id = randomUUIDv7();
  const { ip, userAgent } = ctx.client;
  await smallTransaction(ctx, async (tx) => {
    const locked = hash !== null && (await tx.db.row(lockWithHash({ id: userId, hash })));
    if (!locked) throw new DomainError('INVALID_CREDENTIALS');
    const days = ctx.services.settings.sessionMaxDays;
    await tx.db.run(insertSession({ id, userId, days, ip, userAgent }));
    // earlier actions, taken through mail links, belong to no account
    tx.db.writer = userId;
    await recordAudit(tx, { action: 'session.started', actorId: userId, subjectId: userId, detail: { session: id } });
  });
  return id;
}

/**
 * Exchanges a refresh token for its successor (reference/sign-in.md#refresh). For a few seconds, until the successor is used,
 * the old token is accepted again and gives the same one. Any other use of an old token means that two parties have it, and
 * ends the session.
 * @throws DomainError INVALID_TOKEN
 */
export async function refresh(ctx: Context, input: { refreshToken: string }): Promise<Credentials> {
  const claims = ctx.services.refreshTokens.verify(input.refreshToken);
  if (!claims) throw new DomainError('INVALID_TOKEN');
  const child = { sessionId: claims.sessionId, counter: claims.counter + 1 };
  const rotated = await ctx.db.row(rotate(claims));
  const userId = rotated?.user_id ?? (await acceptParent(ctx, claims));
  return await issueCredentials(ctx, userId, child);
}

/** In one statement, so that exactly one of several concurrent attempts succeeds. */
const rotate = prepared((at: RefreshClaims) =>
  tables
    .updateTable('session')
    .set({ counter: sql`counter + 1`, rotated_at: now, last_used_at: now })
    .where(({ and }) => and({ id: at.sessionId, counter: at.counter }))
    .where(isLiving)
    .returning('user_id'),
);

const presented = prepared((at: RefreshClaims & { grace: number }) =>
  tables
    .selectFrom('session')
    .select((eb) => [
      'user_id',
      isLiving.as('alive'),
      eb('counter', '>', at.counter).as('old'),
      sql<boolean>`counter - 1 = ${at.counter} and ${at.grace} > 0 and rotated_at > now() - make_interval(secs => ${at.grace})`.as(
        'parent',
      ),
    ])
    .where('id', '=', at.sessionId),
);

/** For a token that is not the newest: the previous one in its grace period, a reused one, or one of an ended session. */
async function acceptParent(ctx: Context, { sessionId, counter }: RefreshClaims): Promise<string> {
  const row = await ctx.db.row(presented({ sessionId, counter, grace: ctx.services.settings.refreshGraceSeconds }));
  if (!row?.alive) throw new DomainError('INVALID_TOKEN');
  if (row.parent) return row.user_id;
  // a counter ahead of ours is from before a restore of the database: refused, but not a sign of theft
  if (row.old) {
    await endSession(ctx, { sessionId, reason: 'refresh_reused', actorId: null });
    signals.emit('sessionReplayed');
  }
  throw new DomainError('INVALID_TOKEN');
}

/** Ends the session of the refresh token or, without a valid one, of the access token, if there is one. */
export async function logout(
  ctx: Context,
  { refreshToken, accessToken }: { refreshToken: string | null; accessToken: string | null },
): Promise<void> {
  const claims = refreshToken === null ? null : ctx.services.refreshTokens.verify(refreshToken);
  const found = claims ?? (accessToken === null ? null : await ctx.services.accessTokens.verify(accessToken));
  if (found) await endSession(ctx, { sessionId: found.sessionId, reason: 'logout' });
}

const end = prepared((at: { sessionId: string; reason: EndReason }) =>
  tables
    .updateTable('session')
    .set({ ended_at: now, end_reason: at.reason })
    .where('id', '=', at.sessionId)
    .where('ended_at', 'is', null)
    .returning('user_id'),
);

/**
 * Returns whether the session was active.
 * @param input.actorId who ends it; by default the session's user
 */
export async function endSession(
  ctx: Context,
  input: { sessionId: string; reason: EndReason; actorId?: string | null },
): Promise<boolean> {
  const { sessionId, reason } = input;
  const ended = await smallTransaction(ctx, async (tx) => {
    const row = await tx.db.row(end({ sessionId, reason }));
    if (!row) return false;
    const action = reason === 'refresh_reused' ? 'session.refresh_reused' : 'session.ended';
    const actorId = input.actorId === undefined ? row.user_id : input.actorId;
    await recordAudit(tx, { action, actorId, subjectId: row.user_id, detail: { session: sessionId, reason } });
    return true;
  });
  ctx.services.access.forgetSession(sessionId);
  return ended;
}

async function issueCredentials(ctx: Context, userId: string, claims: RefreshClaims): Promise<Credentials> {
  const { accessTokens, refreshTokens } = ctx.services;
  const { token, expires } = await accessTokens.issue({ userId, sessionId: claims.sessionId, now: ctx.now });
  return { access_token: token, token_type: 'Bearer', expires, refresh_token: refreshTokens.issue(claims) };
}

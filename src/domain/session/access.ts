import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { type Context, forbiddenToKeys, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { clientNetwork } from '../../kernel/limits/client-network.ts';
import type { Viewer } from '../../kernel/request.ts';
import { findMembership } from '../access/memberships.ts';
import { hashKeySecret, keyMark } from '../api-key/api-key-secret.ts';
import { tables } from '../tables/tables.ts';
import type { ActiveKey, SessionAccess } from './access.read.ts';

/** The property of a viewer with how they signed in, which only this file reads. */
const signIn = Symbol('signIn');
/** `authorization` is the header; `expiresAt`, of the token or key, is in Unix milliseconds. */
type SignIn = { access: SessionAccess; authorization: string | null; expiresAt: number };
type SignedIn = Viewer & { [signIn]?: SignIn };

/**
 * Signs a request in, with the access token of a person or the secret of an API key: sets `ctx.viewer`.
 * @param authorization `Bearer <token>` (RFC 6750); null if the header is absent or repeated
 * @throws DomainError INVALID_TOKEN; RATE_LIMITED after too many attempts with unknown keys
 */
export async function authenticate(ctx: Context, authorization: string | null): Promise<void> {
  const token = bearerToken(authorization);
  if (token === null) throw new DomainError('INVALID_TOKEN');
  const found = token.startsWith(keyMark) ? await signInKey(ctx, token) : await signInPerson(ctx, token);
  const { access, expiresAt, ...viewer } = found;
  ctx.viewer = Object.assign(viewer, { [signIn]: { access, authorization, expiresAt } });
  ctx.usage.userId = viewer.userId;
}

/**
 * Refuses API keys where people sign in or manage their account, whether or not the operation needs a sign-in.
 * @throws DomainError FORBIDDEN; as {@link authenticate} for a key that cannot sign in
 */
export async function refuseKey(ctx: Context, authorization: string | null): Promise<void> {
  if (!ctx.viewer && bearerToken(authorization)?.startsWith(keyMark)) await authenticate(ctx, authorization);
  if (ctx.viewer?.key) throw forbiddenToKeys();
}

async function signInPerson(ctx: Context, token: string): Promise<Viewer & Omit<SignIn, 'authorization'>> {
  const claims = await ctx.services.accessTokens.verify(token);
  if (!claims) throw new DomainError('INVALID_TOKEN');
  const { userId, sessionId, expiresAt } = claims;
  ctx.tokenUserId = userId;
  const access = await ctx.services.access.findSession(ctx.db, sessionId);
  if (access?.userId !== userId) throw new DomainError('INVALID_TOKEN');
  return { userId, sessionId, key: null, access, expiresAt };
}

async function signInKey(ctx: Context, secret: string): Promise<Viewer & Omit<SignIn, 'authorization'>> {
  const access = await findSignedInKey(ctx, secret);
  return { userId: access.userId, sessionId: null, key: access.scope, access, expiresAt: access.expiresAt };
}

/**
 * Scopes a signed-in request to an organization: sets `ctx.membership`.
 * @param id null if the request names several; undefined if it names none, which means that of an API key
 * @throws DomainError ORGANIZATION_REQUIRED unless it is one id; ORGANIZATION_FORBIDDEN if the organization does not exist or
 * the viewer is not a member
 */
export async function enterOrganization(ctx: Context, id: string | null | undefined): Promise<void> {
  const organizationId = id === undefined && ctx.viewer?.key ? ctx.viewer.key.organizationId : parseUuid(id);
  if (organizationId === null) throw new DomainError('ORGANIZATION_REQUIRED');
  const session = (ctx.viewer as SignedIn | null)?.[signIn]?.access;
  if (!session) throw new DomainError('INVALID_TOKEN');
  const membership = session.memberships.get(organizationId) ?? (await findFurther(ctx, session, organizationId));
  if (!membership) throw new DomainError('ORGANIZATION_FORBIDDEN');
  ctx.membership = membership;
  ctx.usage.organizationId = organizationId;
}

/**
 * Checks access again, for long requests. A changed role ends them as well, since it changes which rows are visible.
 * @throws DomainError INVALID_TOKEN if the token, session or key has ended; ORGANIZATION_FORBIDDEN; CURSOR_EXPIRED if the role
 * has changed
 */
export async function stillInOrganization(ctx: MemberContext): Promise<void> {
  const { organizationId, role } = ctx.membership;
  const again: Context = { ...ctx, viewer: null, membership: null };
  await authenticate(again, (ctx.viewer as SignedIn)[signIn]?.authorization ?? null);
  await enterOrganization(again, organizationId);
  if (again.membership?.role === role) return;
  throw new DomainError('CURSOR_EXPIRED', { detail: 'Your role in the organization has changed.' });
}

export function accessExpiry({ viewer }: MemberContext): number {
  return (viewer as SignedIn)[signIn]?.expiresAt ?? Number.POSITIVE_INFINITY;
}

/** Only some memberships are read with the session if the user has very many. */
async function findFurther(ctx: Context, session: SessionAccess, organizationId: string) {
  return session.complete ? null : await findMembership(ctx.db, session.userId, organizationId);
}

/** Longer than with any of our tokens. */
const maxAuthorization = 3000;

export function bearerToken(authorization: string | null): string | null {
  // a cached token keeps the whole header in memory
  if (authorization === null || authorization.length > maxAuthorization) return null;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1] ?? null;
}

/**
 * Signs in with the secret of an API key (reference/api-keys.md#use). Only attempts with unknown keys are limited, after the
 * lookup, so that they block nobody else in the network.
 * @throws DomainError INVALID_TOKEN for an unknown, ended or expired key; RATE_LIMITED after too many of those
 */
export async function findSignedInKey(ctx: Context, secret: string): Promise<ActiveKey> {
  const hash = hashKeySecret(secret);
  if (hash === null) throw new DomainError('INVALID_TOKEN');
  const key = await ctx.services.access.findKey(ctx.db, hash);
  if (!key || key.expiresAt <= Date.now()) {
    await ctx.services.limits.take({ rule: 'key_network', key: clientNetwork(ctx.client.ip) });
    throw new DomainError('INVALID_TOKEN');
  }
  await recordUse(ctx, key);
  return key;
}

const noteUse = prepared((at: { id: string; used: string }) =>
  tables
    .updateTable('api_key')
    .set({ last_used_at: at.used })
    .where('id', '=', at.id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at.used)])),
);

/** Once a minute; a failure must not fail the request. */
async function recordUse({ db, log, client }: Context, key: ActiveKey): Promise<void> {
  const minute = Math.floor(Date.now() / 60_000);
  if (key.usedMinute >= minute) return;
  // in the cached entry, so that other requests of this minute do not write
  key.usedMinute = minute;
  const used = new Date(minute * 60_000).toISOString();
  await db.run(noteUse({ id: key.userId, used })).catch((error: unknown) => {
    log.warn({ requestId: client.requestId, err: error }, 'the use of an API key could not be recorded');
  });
}

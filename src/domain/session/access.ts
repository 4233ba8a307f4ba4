import { type Context, forbiddenToKeys, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/request.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { findMembership } from '../access/memberships.ts';
import { keyMark } from '../api-key/api-key-secret.ts';
import type { SessionAccess } from './access.read.ts';
import { findSignedInKey } from './key-sign-in.ts';

/** The property of a viewer with the access of the session or key, for `enterOrganization` only. */
const sessionAccess = Symbol('sessionAccess');
/** The property of a viewer with the header that signed them in, for `stillInOrganization` only. */
const authorized = Symbol('authorized');
/** The property of a viewer with the time when their token or key expires, in Unix milliseconds. */
const expiresAt = Symbol('expiresAt');
type SignedIn = Viewer & { [sessionAccess]?: SessionAccess; [authorized]?: string | null; [expiresAt]?: number };

/**
 * Signs a request in, with the access token of a person or the secret of an API key: sets `ctx.viewer`.
 *
 * @param authorization the `Authorization` header, `Bearer <token>` (RFC 6750); null if it is absent or repeated
 * @throws DomainError INVALID_TOKEN; RATE_LIMITED after too many attempts with unknown keys
 */
export async function authenticate(ctx: Context, authorization: string | null): Promise<void> {
  const token = bearerToken(authorization);
  if (token === null) throw new DomainError('INVALID_TOKEN');
  const viewer = token.startsWith(keyMark) ? await signInKey(ctx, token) : await signInPerson(ctx, token);
  ctx.viewer = Object.assign(viewer, { [authorized]: authorization });
  ctx.usage.userId = viewer.userId;
}

/**
 * Refuses an API key where people sign in or manage their account, whether the operation needs a sign-in or not.
 *
 * @throws DomainError FORBIDDEN; as {@link authenticate} for a key that cannot sign in
 */
export async function refuseKey(ctx: Context, authorization: string | null): Promise<void> {
  if (!ctx.viewer && bearerToken(authorization)?.startsWith(keyMark)) await authenticate(ctx, authorization);
  if (ctx.viewer?.key) throw forbiddenToKeys();
}

async function signInPerson(ctx: Context, token: string): Promise<SignedIn> {
  const { userId, sessionId, expiresAt: expiry } = await ctx.services.accessTokens.verify(token);
  ctx.tokenUserId = userId;
  const session = await ctx.services.access.findSession(ctx.db, sessionId);
  if (session?.userId !== userId) throw new DomainError('INVALID_TOKEN');
  return { userId, sessionId, key: null, [sessionAccess]: session, [expiresAt]: expiry };
}

async function signInKey(ctx: Context, secret: string): Promise<SignedIn> {
  const key = await findSignedInKey(ctx, secret);
  return { userId: key.userId, sessionId: null, key: key.scope, [sessionAccess]: key, [expiresAt]: key.expiresAt };
}

/**
 * Scopes a signed-in request to an organization: sets `ctx.membership`.
 *
 * @param id the organization that the request names; null if it names several, undefined if it names none: then that of an
 * API key
 * @throws DomainError ORGANIZATION_REQUIRED unless exactly one id is given; ORGANIZATION_FORBIDDEN if the organization does not
 * exist or the viewer is not a member
 */
export async function enterOrganization(ctx: Context, id: string | null | undefined): Promise<void> {
  const organizationId = id === undefined && ctx.viewer?.key ? ctx.viewer.key.organizationId : parseUuid(id);
  if (organizationId === null) throw new DomainError('ORGANIZATION_REQUIRED');
  const session = (ctx.viewer as SignedIn | null)?.[sessionAccess];
  if (!session) throw new DomainError('INVALID_TOKEN');
  const membership = session.memberships.get(organizationId) ?? (await findFurther(ctx, session, organizationId));
  if (!membership) throw new DomainError('ORGANIZATION_FORBIDDEN');
  ctx.membership = membership;
  ctx.usage.organizationId = organizationId;
}

/**
 * Checks again that the viewer may be where they are, for requests that take long. A changed role ends them as well: it changes
 * what they may see.
 *
 * @throws DomainError INVALID_TOKEN if the token, session or key has ended; ORGANIZATION_FORBIDDEN; CURSOR_EXPIRED if the role
 * has changed
 */
export async function stillInOrganization(ctx: MemberContext): Promise<void> {
  const { organizationId, role } = ctx.membership;
  const again: Context = { ...ctx, viewer: null, membership: null };
  await authenticate(again, (ctx.viewer as SignedIn)[authorized] ?? null);
  await enterOrganization(again, organizationId);
  if (again.membership?.role === role) return;
  throw new DomainError('CURSOR_EXPIRED', { detail: 'Your role in the organization has changed.' });
}

/** When the access token or the key of a viewer expires, in Unix milliseconds. */
export function accessExpiry({ viewer }: MemberContext): number {
  return (viewer as SignedIn)[expiresAt] ?? Number.POSITIVE_INFINITY;
}

/** For users with very many memberships, only some are read with the session; the others are looked up one by one. */
async function findFurther(ctx: Context, session: SessionAccess, organizationId: string) {
  return session.complete ? null : await findMembership(ctx.db, session.userId, organizationId);
}

/** The maximum length of the header: longer than with any of our tokens. */
const maxAuthorization = 3000;

/** The token in an `Authorization` header, or null if it does not have the form `Bearer <token>`. */
export function bearerToken(authorization: string | null): string | null {
  // a cached token keeps the whole header in memory
  if (authorization === null || authorization.length > maxAuthorization) return null;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1] ?? null;
}

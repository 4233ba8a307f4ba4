import type { Context } from '../../engine/context.ts';
import { findMembershipRole } from '../../engine/memberships.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/request.ts';
import { parseUuid } from '../../kernel/uuid.ts';
import type { SessionAccess } from './access.read.ts';

/** The property of a viewer with the session's access, for `enterOrganization` only. */
const sessionAccess = Symbol('sessionAccess');
type SignedIn = Viewer & { [sessionAccess]?: SessionAccess };

/**
 * Signs a request in: sets `ctx.viewer`.
 *
 * @param authorization the `Authorization` header, `Bearer <token>` (RFC 6750); null if it is absent or repeated
 * @throws DomainError INVALID_TOKEN
 */
export async function authenticate(ctx: Context, authorization: string | null): Promise<void> {
  const token = bearerToken(authorization);
  if (token === null) throw new DomainError('INVALID_TOKEN');
  const { userId, sessionId } = await ctx.services.accessTokens.verify(token);
  ctx.tokenUserId = userId;
  const session = await ctx.services.access.findSession(ctx.db, sessionId);
  if (session?.userId !== userId) throw new DomainError('INVALID_TOKEN');
  const viewer: SignedIn = { userId, sessionId, [sessionAccess]: session };
  ctx.viewer = viewer;
}

/**
 * Scopes a signed-in request to an organization: sets `ctx.membership`.
 *
 * @param id the organization that the request names; null if it names none or several
 * @throws DomainError ORGANIZATION_REQUIRED unless exactly one id is given; ORGANIZATION_FORBIDDEN if the organization does not
 * exist or the viewer is not a member
 */
export async function enterOrganization(ctx: Context, id: string | null): Promise<void> {
  const organizationId = parseUuid(id);
  if (organizationId === null) throw new DomainError('ORGANIZATION_REQUIRED');
  const session = (ctx.viewer as SignedIn | null)?.[sessionAccess];
  if (!session) throw new DomainError('INVALID_TOKEN');
  const role = session.roles.get(organizationId) ?? (await findFurtherRole(ctx, session, organizationId));
  if (!role) throw new DomainError('ORGANIZATION_FORBIDDEN');
  ctx.membership = { organizationId, role };
}

/** For users with very many memberships, only some are read with the session; the others are looked up one by one. */
async function findFurtherRole(ctx: Context, session: SessionAccess, organizationId: string) {
  return session.complete ? null : await findMembershipRole(ctx.db, session.userId, organizationId);
}

/** The maximum length of the header: longer than with any of our tokens. */
const maxAuthorization = 3000;

/** The token in an `Authorization` header, or null if it does not have the form `Bearer <token>`. */
export function bearerToken(authorization: string | null): string | null {
  // a cached token keeps the whole header in memory
  if (authorization === null || authorization.length > maxAuthorization) return null;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1] ?? null;
}

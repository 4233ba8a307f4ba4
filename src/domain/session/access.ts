import type { Context } from '../../engine/context.ts';
import { findMembershipRole } from '../../engine/memberships.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/request.ts';
import { parseUuid } from '../../kernel/uuid.ts';
import type { SessionAccess } from './access.read.ts';

/** The property of a viewer that holds the session's access, for `enterOrganization` only. */
const sessionAccess = Symbol('sessionAccess');
type SignedIn = Viewer & { [sessionAccess]?: SessionAccess };

/**
 * Signs a request in: sets `ctx.viewer`.
 *
 * @param authorization the only credentials of the request, `Bearer <token>` (RFC 6750); null if there are none, or several
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
 * @param id the only organization that the request names; null if it names none, or several
 * @throws DomainError ORGANIZATION_REQUIRED unless there is exactly one id; ORGANIZATION_FORBIDDEN, the same for an
 * organization that does not exist and for one that is not the viewer's
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

/** If a user has very many memberships, only some are read with the session; the others are read one by one. */
async function findFurtherRole(ctx: Context, session: SessionAccess, organizationId: string) {
  return session.complete ? null : await findMembershipRole(ctx.db, session.userId, organizationId);
}

/** Maximum length of credentials: more than any of our tokens. */
const maxAuthorization = 3000;

/** The token of credentials, or null if they do not have the form `Bearer <token>`. */
export function bearerToken(authorization: string | null): string | null {
  // a cached token keeps the whole text in memory
  if (authorization === null || authorization.length > maxAuthorization) return null;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1] ?? null;
}

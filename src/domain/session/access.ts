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
 * @param authorization every `Authorization` header of the request; exactly one, `Bearer <token>` (RFC 6750), is accepted
 * @throws DomainError INVALID_TOKEN
 */
export async function authenticate(ctx: Context, authorization: string[] | undefined): Promise<void> {
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
 * @param header every `x-organization-id` header of the request
 * @throws DomainError ORGANIZATION_REQUIRED unless there is exactly one id; ORGANIZATION_FORBIDDEN, the same for an
 * organization that does not exist and for one that is not the viewer's
 */
export async function enterOrganization(ctx: Context, header: string[] | undefined): Promise<void> {
  const organizationId = header?.length === 1 ? parseUuid(header[0]) : null;
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

/** Maximum length of an `Authorization` header: more than any of our tokens. */
const maxAuthorization = 3000;

/** The token of the only `Authorization` header, or null if it does not have the form `Bearer <token>`. */
export function bearerToken(authorization: string[] | undefined): string | null {
  const [value = ''] = authorization?.length === 1 ? authorization : [];
  // a cached token keeps the whole header in memory
  if (value.length > maxAuthorization) return null;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(value)?.[1] ?? null;
}

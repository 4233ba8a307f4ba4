import type { Context, Log, Viewer } from '../context.ts';
import { DomainError } from '../errors.ts';
import { parseUuid } from '../uuid.ts';
import { findMembershipRole, findSessionAccess, type SessionAccess } from './access.read.ts';
import { AccessCache } from './access-cache.ts';
import { AccessListener, type OpenListener } from './access-listener.ts';

/** Where a viewer keeps what was found of the session; for `enterOrganization`, and nobody else's business. */
const found = Symbol('found');
type SignedIn = Viewer & { [found]?: SessionAccess };

/**
 * Signs a request in: sets `ctx.viewer`.
 *
 * @param authorization every `Authorization` header of the request; exactly one, `Bearer <token>` (RFC 6750), will do
 * @throws DomainError INVALID_TOKEN
 */
export async function authenticate(ctx: Context, authorization: string[] | undefined): Promise<void> {
  const token = bearerToken(authorization);
  if (token === null) throw new DomainError('INVALID_TOKEN');
  const { userId, sessionId } = await ctx.services.accessTokens.verify(token);
  const session = await ctx.services.access.findSession(ctx, sessionId);
  if (session?.userId !== userId) throw new DomainError('INVALID_TOKEN');
  const viewer: SignedIn = { userId, sessionId, [found]: session };
  ctx.viewer = viewer;
}

/**
 * Scopes a signed-in request to an organization: sets `ctx.membership`.
 *
 * @param header every `x-organization-id` header of the request
 * @throws DomainError ORGANIZATION_REQUIRED where there is not exactly one id; ORGANIZATION_FORBIDDEN, the same for an
 * organization that does not exist and for one that is not the viewer's
 */
export async function enterOrganization(ctx: Context, header: string[] | undefined): Promise<void> {
  const organizationId = header?.length === 1 ? parseUuid(header[0]) : null;
  if (organizationId === null) throw new DomainError('ORGANIZATION_REQUIRED');
  const session = (ctx.viewer as SignedIn | null)?.[found];
  if (!session) throw new DomainError('INVALID_TOKEN');
  const role = session.roles.get(organizationId) ?? (await findFurtherRole(ctx, session, organizationId));
  if (!role) throw new DomainError('ORGANIZATION_FORBIDDEN');
  ctx.membership = { organizationId, role };
}

/** Of someone with very many memberships only some come with the session; the others are asked for one by one. */
async function findFurtherRole(ctx: Context, session: SessionAccess, organizationId: string) {
  return session.complete ? null : await findMembershipRole(ctx.em, session.userId, organizationId);
}

/** Characters of an `Authorization` header: more than any token of ours has. */
const maxAuthorization = 3000;

/** The token of the only `Authorization` header, or null where there is none of the form `Bearer <token>`. */
export function bearerToken(authorization: string[] | undefined): string | null {
  const [value = ''] = authorization?.length === 1 ? authorization : [];
  // the token that is remembered would keep the whole header
  if (value.length > maxAuthorization) return null;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(value)?.[1] ?? null;
}

/**
 * Knows which sessions live and what their users may enter, so that a request usually costs no statement.
 *
 * The database tells every process of each change (`NOTIFY access_changed`). What is remembered is trusted for as long
 * as that connection stands, and for five seconds at the most; without the connection nothing is remembered.
 */
export class Access {
  readonly #cache: AccessCache;
  readonly #listener: AccessListener;

  /**
   * @param options.maxAge milliseconds for which an entry may be used
   * @param options.maxEntries how many sessions are remembered
   */
  constructor(options: { maxAge?: number; maxEntries?: number } = {}) {
    this.#cache = new AccessCache(options.maxAge ?? 5_000, options.maxEntries ?? 10_000);
    this.#listener = new AccessListener(this.#cache);
  }

  /**
   * Starts to listen, and to remember. Returns after the first attempt, whether or not it succeeded; where the
   * connection fails or breaks, it is opened again after a while.
   *
   * @param open opens a connection of its own to the primary database
   * @param log is told when the connection is lost or cannot be opened
   */
  async start(open: OpenListener, log?: Log): Promise<void> {
    await this.#listener.start(open, log);
  }

  /** Closes the connection and remembers nothing any more. */
  async stop(): Promise<void> {
    await this.#listener.stop();
  }

  /** A session that lives, with its user and memberships, or null. */
  async findSession(ctx: Pick<Context, 'em'>, sessionId: string): Promise<SessionAccess | null> {
    const known = this.#cache.get(sessionId);
    if (known !== undefined) return known;
    // what changes while we look is heard of in the meantime, and may not be overwritten by what we saw before it
    const generation = this.#cache.generation;
    const session = await findSessionAccess(ctx.em, sessionId);
    this.#cache.set(sessionId, session, generation);
    return session;
  }

  /** Makes the end of a session known to this process at once. */
  forgetSession(sessionId: string): void {
    this.#cache.forgetSession(sessionId);
  }

  /** Makes a change of a user's memberships known to this process at once. */
  forgetUser(userId: string): void {
    this.#cache.forgetUser(userId);
  }
}

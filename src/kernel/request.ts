import type { ClientWaits } from './client-waits.ts';
import type { OrganizationRole } from './roles.ts';

/** The part of pino's interface that the domain needs. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The signed-in user of a request, and their session. */
export interface Viewer {
  userId: string;
  sessionId: string;
}

/** The organization that a request is scoped to, and the viewer's role in it. */
export interface Membership {
  organizationId: string;
  role: OrganizationRole;
}

/** The origin of a request, for limits, sessions and the audit trail. */
export interface Client {
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}

/** The organization whose public events a request reads, without signing in. */
export interface PublicScope {
  organizationId: string;
  name: string;
  slug: string;
  /** Identifies the current state of the organization's public events (note 0042). */
  revision: string;
}

/** Who makes a request, for access, limits and the log. */
export interface Requester {
  /** The user of a verified access token, before the session is looked up. */
  tokenUserId: string | null;
  viewer: Viewer | null;
  membership: Membership | null;
  /** Set for requests for public data. */
  publicScope: PublicScope | null;
  client: Client;
  /** Everything to cancel when the client disconnects. */
  waits: ClientWaits;
  log: Log;
}

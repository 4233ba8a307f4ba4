import type { EntityManager } from '@mikro-orm/postgresql';
import type { Loaders } from './loaders.ts';
import type { OrganizationRole } from './organization/membership.entity.ts';
import type { Services } from './services.ts';

/** The log as the domain needs it; pino's shape. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Who asks: a user through one session. */
export interface Viewer {
  userId: string;
  sessionId: string;
}

/** The organization that a request is scoped to, and what the viewer is in it. */
export interface Membership {
  organizationId: string;
  role: OrganizationRole;
}

/** Where a request came from; for limits, sessions and the audit trail. */
export interface Client {
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}

/** Everything a use case may touch. One a request. */
export interface Context {
  /** The request's own fork, made when it is first asked for. */
  em: EntityManager;
  /** For reads past the unit of work, which need no fork. */
  reader: EntityManager;
  services: Services;
  loaders: Loaders;
  viewer: Viewer | null;
  membership: Membership | null;
  client: Client;
  /** One moment for the whole request, so that derived states agree within it. */
  now: Date;
  log: Log;
}

/** A context whose request is signed in. */
export interface ViewerContext extends Context {
  viewer: Viewer;
}

/** A context whose request is signed in and scoped to an organization of the viewer's. */
export interface MemberContext extends ViewerContext {
  membership: Membership;
}

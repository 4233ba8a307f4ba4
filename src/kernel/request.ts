import { DomainError } from './errors.ts';
import type { Usage } from './usage.ts';

/** The part of pino that the domain needs. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const keyAccesses = ['read', 'write'] as const;
export type KeyAccess = (typeof keyAccesses)[number];

/** What an API key may or may not do beyond its role. */
export interface KeyScope {
  organizationId: string;
  access: KeyAccess;
  /** Whether it may read and run webhooks (reference/api-keys.md#webhooks). */
  webhooks: boolean;
}

/** What a key can be allowed, whatever its role. */
export type KeyPermission = 'webhooks';

/** The signed-in user of a request: a person with a session, or an API key. */
export interface Viewer {
  userId: string;
  /** Null for a key. */
  sessionId: string | null;
  /** Null for a person. */
  key: KeyScope | null;
}

export const organizationRoles = ['owner', 'manager', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** The organization that a request is scoped to, and the viewer's role in it. */
export interface Membership {
  organizationId: string;
  role: OrganizationRole;
  /** Who created the organization; null for imported ones. */
  makerId: string | null;
}

const rank: Record<OrganizationRole, number> = { member: 0, manager: 1, owner: 2 };

export function hasRole(role: OrganizationRole, least: OrganizationRole): boolean {
  return rank[role] >= rank[least];
}

/** @throws DomainError FORBIDDEN if the viewer has a lower role in the organization, and is no key with the permission */
export function requireRole(
  { membership, viewer }: { membership: Pick<Membership, 'role'> | null; viewer?: Viewer | null },
  least: OrganizationRole,
  keys?: KeyPermission,
): void {
  if (isAllowedKey({ viewer }, keys)) return;
  if (!membership || !hasRole(membership.role, least)) throw new DomainError('FORBIDDEN');
}

export function isAllowedKey({ viewer }: { viewer?: Viewer | null | undefined }, keys?: KeyPermission): boolean {
  return keys !== undefined && viewer?.key?.[keys] === true;
}

/** Owners and managers see and change everything in an organization (reference/conventions.md#who-sees-what). */
export function isManager(membership: Pick<Membership, 'role'>): boolean {
  return membership.role !== 'member';
}

/** The origin of a request, for limits, sessions and the audit trail. */
export interface Client {
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  /** Whether it is a command of the operator instead of a request. */
  operator?: true;
}

/** The organization whose public events a request reads, without signing in. */
export interface PublicScope {
  organizationId: string;
  name: string;
  slug: string;
  /** Identifies the current state of the organization's public events (note 0042). */
  revision: string;
}

/** A request, for access, limits and the log. */
export interface Requester {
  /** The user of a verified access token, before the session is looked up. */
  tokenUserId: string | null;
  viewer: Viewer | null;
  membership: Membership | null;
  publicScope: PublicScope | null;
  client: Client;
  usage: Usage;
  waits: ClientWaits;
  log: Log;
}

/** Never sent: the client has disconnected. */
export class ClientGone extends DomainError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { detail: 'The client disconnected.' });
  }
}

/** Whether something failed only because there is no room for it now, or no client: a retry may succeed. */
export function meansNoRoom(error: unknown): boolean {
  return error instanceof ClientGone || (error instanceof DomainError && error.retryAfter !== undefined);
}

/** Everything that a request is waiting for, to be cancelled when its client disconnects. */
export class ClientWaits {
  readonly #giveUps = new Set<(reason: Error) => void>();
  /** Null while it is connected. */
  gone: ClientGone | null = null;

  add(giveUp: (reason: Error) => void): void {
    this.#giveUps.add(giveUp);
  }

  delete(giveUp: (reason: Error) => void): void {
    this.#giveUps.delete(giveUp);
  }

  /** Cancels everything, now and from now on, except transactions; returns whether there was anything to cancel. */
  clientGone(): boolean {
    this.gone = new ClientGone();
    for (const giveUp of this.#giveUps) giveUp(this.gone);
    return this.#giveUps.size > 0;
  }
}

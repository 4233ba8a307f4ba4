import { sql } from 'kysely';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import type { MemberContext, ViewerContext } from '../../engine/context.ts';
import type { Database } from '../../engine/database.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { hasRole, isManager, type Membership, type OrganizationRole } from '../../kernel/request.ts';
import { tables } from '../tables/tables.ts';

export const isLiveKey = sql<boolean>`k.ended_at is null and (k.expires_at is null or k.expires_at > now())`;

/**
 * The memberships `m` in effect: those of verified accounts `u`. Use it instead of the table, in which an import may
 * create others that have no effect until the account is verified (note 0022).
 */
export const proven = tables
  .selectFrom('membership as m')
  .innerJoin('user as u', 'u.id', 'm.user_id')
  .where('u.verified_at', 'is not', null);

export const provenMemberships = proven.selectAll('m');

/** All memberships `m`, also those without effect: for exports and erasure. */
export const everyMember = tables.selectFrom('membership as m');

/** Who acts with which role: members, and API keys, which are in no list of members (note 0057). */
export const acting = proven
  .select(['m.organization_id', 'm.user_id', 'm.role'])
  .unionAll(
    tables.selectFrom('api_key as k').select(['k.organization_id', 'k.id as user_id', 'k.role']).where(isLiveKey),
  );

const roleIn = prepared((at: { userId: string; organizationId: string }) =>
  tables
    .selectFrom(acting.as('m'))
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['m.role', 'o.maker_id'])
    .where(({ and }) => and({ 'm.organization_id': at.organizationId, 'm.user_id': at.userId })),
);

/** Null if the user does not belong to the organization. */
export async function findMembership(db: Database, userId: string, organizationId: string): Promise<Membership | null> {
  const found = await db.row(roleIn({ userId, organizationId }));
  return found ? { organizationId, role: found.role, makerId: found.maker_id } : null;
}

/** @throws DomainError NOT_FOUND unless the viewer belongs to the organization; FORBIDDEN unless as an owner */
export async function requireOwned(
  { db, viewer }: Pick<ViewerContext, 'db' | 'viewer'>,
  id: string,
): Promise<Membership> {
  const organizationId = parseUuid(id);
  const membership = organizationId && (await findMembership(db, viewer.userId, organizationId));
  if (!membership) throw new DomainError('NOT_FOUND');
  if (membership.role !== 'owner') throw new DomainError('FORBIDDEN');
  return membership;
}

/**
 * The viewer's current role: it may have changed since the request was authorized, while it waited for a lock.
 * @throws DomainError ORGANIZATION_FORBIDDEN if the viewer no longer belongs to the organization, INVALID_TOKEN if it is a key
 * that has ended; FORBIDDEN
 */
export async function requireCurrentRole(
  { db, viewer, membership }: Transaction<MemberContext>,
  least: OrganizationRole,
): Promise<OrganizationRole> {
  const now = await findMembership(db, viewer.userId, membership.organizationId);
  if (now === null) throw new DomainError(viewer.key ? 'INVALID_TOKEN' : 'ORGANIZATION_FORBIDDEN');
  if (!hasRole(now.role, least)) throw new DomainError('FORBIDDEN');
  return now.role;
}

/**
 * Checks that a manager still is one. Send it right after the lock, so that it reads everything committed by then.
 * @throws DomainError ORGANIZATION_FORBIDDEN, INVALID_TOKEN, FORBIDDEN
 */
export async function requireStillManager(tx: Transaction<MemberContext>): Promise<void> {
  // members act without a role that could be revoked
  if (isManager(tx.membership)) await requireCurrentRole(tx, 'manager');
}

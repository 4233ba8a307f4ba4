import sql, { raw, type Sql } from 'sql-template-tag';
import { DomainError } from '../kernel/errors.ts';
import { isManager, type OrganizationRole } from '../kernel/roles.ts';
import type { MemberContext } from './context.ts';
import type { Database } from './database.ts';
import type { Transaction } from './transaction.ts';

/**
 * The memberships that are in effect: those of verified accounts. Use it instead of the table, in which an import may create
 * others that have no effect until the account is verified (note 0022).
 */
export const provenMemberships: Sql = raw(
  `select m.* from membership m join "user" u on u.id = m.user_id where u.verified_at is not null`,
);

/** The role of a user in one organization, or null. */
export async function findMembershipRole(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<OrganizationRole | null> {
  const membership = await db.row<{ role: OrganizationRole }>(
    sql`select role from (${provenMemberships}) m where organization_id = ${organizationId} and user_id = ${userId}`,
  );
  return membership?.role ?? null;
}

/**
 * Checks that a manager still is one: the role may have been revoked while the request, authorized earlier, waited for
 * a lock. Send it right after the lock, so that it reads what was committed by then, without a further round trip.
 *
 * @throws DomainError ORGANIZATION_FORBIDDEN, FORBIDDEN
 */
export async function requireStillManager({ db, viewer, membership }: Transaction<MemberContext>): Promise<void> {
  // members act without a role that could be revoked
  if (!isManager(membership)) return;
  const { organizationId } = membership;
  const role = await findMembershipRole(db, viewer.userId, organizationId);
  if (role === null) throw new DomainError('ORGANIZATION_FORBIDDEN');
  if (!isManager({ role })) throw new DomainError('FORBIDDEN');
}

import sql, { raw, type Sql } from 'sql-template-tag';
import { DomainError } from '../kernel/errors.ts';
import { hasRole, isManager, type Membership, type OrganizationRole } from '../kernel/request.ts';
import type { MemberContext } from './context.ts';
import type { Database } from './database.ts';
import type { Transaction } from './transaction.ts';

/**
 * The memberships that are in effect: those of verified accounts. Use it instead of the table, in which an import may create
 * others that have no effect until the account is verified (note 0022).
 */
export const provenMemberships: Sql = provenMembershipsWith('m.*');

/** The rows of all memberships, those without effect as well: for what exports or erases them. */
export const everyMembership: Sql = raw('membership');

/** {@link provenMemberships}, with what they are searched by: the name and the mailbox of the user. */
export const searchedMemberships: Sql = provenMembershipsWith('m.*, u.name, u.mailbox');

function provenMembershipsWith(columns: string): Sql {
  return raw(`select ${columns} from membership m join "user" u on u.id = m.user_id where u.verified_at is not null`);
}

/**
 * The roles that users act with: those of the memberships above, and of API keys, which are in no list of members
 * (note 0057).
 */
export const actingRoles: Sql = raw(
  `select m.organization_id, m.user_id, m.role from membership m join "user" u on u.id = m.user_id where u.verified_at is not null
    union all select k.organization_id, k.id, k.role from api_key k
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())`,
);

/** How a user belongs to an organization; null if not at all. */
export async function findMembership(db: Database, userId: string, organizationId: string): Promise<Membership | null> {
  const found = await db.row<{ role: OrganizationRole; maker_id: string | null }>(
    sql`select m.role, o.maker_id from (${actingRoles}) m join organization o on o.id = m.organization_id
      where m.organization_id = ${organizationId} and m.user_id = ${userId}`,
  );
  return found ? { organizationId, role: found.role, makerId: found.maker_id } : null;
}

/**
 * The viewer's role by now: it may have been changed or revoked while the request, authorized earlier, waited for a lock.
 *
 * @param least the required role
 * @throws DomainError ORGANIZATION_FORBIDDEN if the viewer no longer belongs to the organization, INVALID_TOKEN if it is a key, which
 * has ended then; FORBIDDEN
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
 * Checks that a manager still is one. Send it right after the lock, so that it reads what was committed by then, without a
 * further round trip.
 *
 * @throws DomainError ORGANIZATION_FORBIDDEN, INVALID_TOKEN, FORBIDDEN
 */
export async function requireStillManager(tx: Transaction<MemberContext>): Promise<void> {
  // members act without a role that could be revoked
  if (isManager(tx.membership)) await requireCurrentRole(tx, 'manager');
}

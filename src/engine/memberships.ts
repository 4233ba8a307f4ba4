import sql, { raw, type Sql } from 'sql-template-tag';
import type { OrganizationRole } from '../kernel/roles.ts';
import type { Database } from './database.ts';

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

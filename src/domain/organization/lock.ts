import type { MemberContext } from '../../engine/context.ts';
import type { Database } from '../../engine/database.ts';
import type { Transaction } from '../../engine/transaction.ts';
import type { OrganizationRole } from '../../kernel/request.ts';
import { requireCurrentRole } from '../access/memberships.ts';
import { lockRow } from '../tables/lock-row.ts';

/**
 * Locks the members of the viewer's organization: rules such as "an owner remains" concern several rows, which no constraint
 * can check. Foreign keys do not wait for this lock. Returns the viewer's current role.
 * @throws DomainError ORGANIZATION_FORBIDDEN if the viewer no longer belongs to it; FORBIDDEN if the role is below `least`
 */
export async function lockMembers(tx: Transaction<MemberContext>, least: OrganizationRole): Promise<OrganizationRole> {
  await lockOrganization(tx.db, tx.membership.organizationId);
  return await requireCurrentRole(tx, least);
}

export async function lockOrganization(db: Database, organizationId: string): Promise<void> {
  await lockRow(db, 'organization', organizationId);
}

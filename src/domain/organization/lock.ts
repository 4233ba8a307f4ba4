import sql from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Database } from '../../engine/database.ts';
import { findMembershipRole } from '../../engine/memberships.ts';
import { smallTransaction, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { hasRole, type OrganizationRole } from '../../kernel/roles.ts';

/** The context of a change of an organization's members, inside its transaction. */
export interface LockedOrganization {
  ctx: Transaction<MemberContext>;
  /** The viewer's current role, which may have changed since the request was authorized. */
  role: OrganizationRole;
}

/**
 * Runs a change of an organization's members in a transaction, one at a time per organization: rules such as "an owner
 * remains" concern several rows, which no constraint can check. Foreign keys do not wait for this lock.
 *
 * @param least the required role, which the viewer may have lost since the request was authorized
 * @throws DomainError ORGANIZATION_FORBIDDEN if the viewer no longer belongs to it; FORBIDDEN
 */
export async function lockingOrganization<Result>(
  ctx: MemberContext,
  least: OrganizationRole,
  change: (locked: LockedOrganization) => Promise<Result>,
): Promise<Result> {
  const { organizationId } = ctx.membership;
  return await smallTransaction(ctx, async (tx) => {
    await lockOrganization(tx.db, organizationId);
    const role = await findMembershipRole(tx.db, ctx.viewer.userId, organizationId);
    if (role === null) throw new DomainError('ORGANIZATION_FORBIDDEN');
    if (!hasRole(role, least)) throw new DomainError('FORBIDDEN');
    return await change({ ctx: tx, role });
  });
}

/** Locks the members of an organization for the rest of the transaction. */
export async function lockOrganization(db: Database, organizationId: string): Promise<void> {
  await db.row(sql`select from organization where id = ${organizationId}::uuid for no key update`);
}

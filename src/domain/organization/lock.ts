import type { EntityManager } from '@mikro-orm/postgresql';
import sql from 'sql-template-tag';
import type { Context, MemberContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { findMembershipRole } from '../session/access.read.ts';
import type { OrganizationRole } from './membership.entity.ts';

/** What a change of an organization's members works with, inside its transaction. */
export interface LockedOrganization {
  ctx: MemberContext;
  em: EntityManager;
  /** What the viewer is now: the request may have been let in as something more. */
  role: OrganizationRole;
}

/**
 * Runs a change of an organization's members in a transaction, one at a time for each organization: rules such as that
 * an owner stays look at several rows, which no constraint does. Foreign keys do not wait for this lock.
 *
 * @throws DomainError ORGANIZATION_FORBIDDEN where the viewer belongs to it no more
 */
export async function lockingOrganization<Result>(
  ctx: MemberContext,
  change: (locked: LockedOrganization) => Promise<Result>,
): Promise<Result> {
  const { organizationId } = ctx.membership;
  return await ctx.em.transactional(async (em) => {
    await lockOrganization(em, organizationId);
    const role = await findMembershipRole(em, ctx.viewer.userId, organizationId);
    if (role === null) throw new DomainError('ORGANIZATION_FORBIDDEN');
    return await change({ ctx: { ...ctx, em }, em, role });
  });
}

/** Waits until nobody else changes the members of an organization, for the rest of the transaction. */
export async function lockOrganization(em: Context['em'], organizationId: string): Promise<void> {
  await row(em, sql`select from organization where id = ${organizationId}::uuid for no key update`);
}

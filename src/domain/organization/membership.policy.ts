import sql, { type Sql } from 'sql-template-tag';
import type { Context, MemberContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { isManager } from '../event/event.policy.ts';
import type { OrganizationRole } from './membership.entity.ts';

const rank: Record<OrganizationRole, number> = { member: 0, manager: 1, owner: 2 };

/** Whether a role may do what takes another one at the least. */
export function hasRole(role: OrganizationRole, least: OrganizationRole): boolean {
  return rank[role] >= rank[least];
}

/** @throws DomainError FORBIDDEN where the viewer is less than that in the organization */
export function requireRole(ctx: Pick<Context, 'membership'>, least: OrganizationRole): void {
  if (!ctx.membership || !hasRole(ctx.membership.role, least)) throw new DomainError('FORBIDDEN');
}

/** Whether someone may give a role, or take it away: owners any, managers those up to their own, members none. */
export function canGrant(actor: OrganizationRole, role: OrganizationRole): boolean {
  return actor !== 'member' && hasRole(actor, role);
}

/** The memberships that the viewer may see, as a condition over the alias `t`: a member sees the own one alone. */
export function visibleMemberships(ctx: MemberContext): Sql {
  const organization = sql`t.organization_id = ${ctx.membership.organizationId}::uuid`;
  const own = sql`${organization} and t.user_id = ${ctx.viewer.userId}::uuid`;
  return isManager(ctx.membership) ? organization : own;
}

import sql, { type Sql } from 'sql-template-tag';
import type { Context, MemberContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { isManager } from '../event/event.policy.ts';
import type { OrganizationRole } from './membership.entity.ts';

const rank: Record<OrganizationRole, number> = { member: 0, manager: 1, owner: 2 };

/** Whether a role is at least another one. */
export function hasRole(role: OrganizationRole, least: OrganizationRole): boolean {
  return rank[role] >= rank[least];
}

/** @throws DomainError FORBIDDEN if the viewer has a lower role in the organization */
export function requireRole(ctx: Pick<Context, 'membership'>, least: OrganizationRole): void {
  if (!ctx.membership || !hasRole(ctx.membership.role, least)) throw new DomainError('FORBIDDEN');
}

/** Whether a role may give or take another one: owners any, managers up to their own, members none. */
export function canGrant(actor: OrganizationRole, role: OrganizationRole): boolean {
  return actor !== 'member' && hasRole(actor, role);
}

/** {@link canGrant} in SQL, of two expressions. */
export function grants(actor: Sql, role: Sql): Sql {
  return sql`(${actor} = 'owner' or (${actor} = 'manager' and ${role} <> 'owner'))`;
}

/** The memberships that the viewer may see, as a condition over the alias `t`: a member sees only their own. */
export function visibleMemberships(ctx: MemberContext): Sql {
  const organization = sql`t.organization_id = ${ctx.membership.organizationId}::uuid`;
  const own = sql`${organization} and t.user_id = ${ctx.viewer.userId}::uuid`;
  return isManager(ctx.membership) ? organization : own;
}

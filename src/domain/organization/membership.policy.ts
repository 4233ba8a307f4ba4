import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { hasRole, isManager, type OrganizationRole } from '../../kernel/request.ts';

/** Whether a role may give or revoke another one: owners any, managers up to their own, members none. */
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

import { type RawBuilder, sql } from 'kysely';
import { hasRole, type OrganizationRole } from '../../kernel/request.ts';

/** Owners may give and revoke any role, managers up to their own, members none. */
export function canGrant(actor: OrganizationRole, role: OrganizationRole): boolean {
  return actor !== 'member' && hasRole(actor, role);
}

export function grants(actor: RawBuilder<unknown>, role: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${actor} = 'owner' or (${actor} = 'manager' and ${role} <> 'owner'))`;
}

import sql, { raw, type Sql } from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { provenMemberships } from '../access/memberships.ts';
import { grants } from '../organization/membership.policy.ts';

/** Days for which an invitation can be accepted. */
export const invitationDays = 7;

/** Whether the inviter may still give the role of an invitation, as a condition over its alias. */
function inviterMayGrant(alias: 'i' | 't'): Sql {
  const of = (column: string) => raw(`${alias}.${column}`);
  return sql`exists (select from (${provenMemberships}) inviter
    where inviter.organization_id = ${of('organization_id')} and inviter.user_id = ${of('inviter_id')}
      and ${grants(raw('inviter.role'), of('role'))})`;
}

/**
 * Whether an invitation can be accepted, as a condition over its alias. Commands delete invitations that the inviter
 * could no longer send; this condition also covers changes outside commands, such as an import.
 */
export function acceptable(alias: 'i' | 't'): Sql {
  return sql`${raw(alias)}.expires_at > now() and ${inviterMayGrant(alias)}`;
}

/**
 * Ends a member's invitations to roles that the member can no longer give, in the transaction of `db`, and returns
 * their number. Call it after the change of the membership, under the organization's lock.
 */
export async function endInvitations(
  { db }: Pick<Context, 'db'>,
  input: { organizationId: string; inviterId: string },
): Promise<number> {
  const inviter = sql`i.inviter_id = ${input.inviterId}::uuid`;
  return (await db.rows(sql`${endedInvitations([input.organizationId])} and ${inviter} returning i.id`)).length;
}

/** A statement that deletes the invitations of organizations whose inviters may no longer give the role. */
export function endedInvitations(organizationIds: readonly string[]): Sql {
  return sql`delete from invitation i
    where i.organization_id = any(${organizationIds}::uuid[]) and i.expires_at > now() and not ${inviterMayGrant('i')}`;
}

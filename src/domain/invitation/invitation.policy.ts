import { type RawBuilder, sql } from 'kysely';
import { built } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { provenMemberships } from '../access/memberships.ts';
import { grants } from '../organization/membership.policy.ts';
import { anyOf, now, tables } from '../tables/tables.ts';

export const invitationDays = 7;

function inviterMayGrant(alias: 'i' | 't'): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`exists (select from ${provenMemberships} inviter
    where inviter.organization_id = ${of('organization_id')} and inviter.user_id = ${of('inviter_id')}
      and ${grants(sql.ref('inviter.role'), of('role'))})`;
}

/**
 * A condition over the alias. Commands delete invitations that the inviter could no longer send; this also covers changes
 * outside commands, such as an import.
 */
export function acceptable(alias: 'i' | 't'): RawBuilder<boolean> {
  return sql`${sql.ref(alias)}.expires_at > now() and ${inviterMayGrant(alias)}`;
}

/**
 * Ends a member's invitations to roles that they can no longer give; returns how many. Call it after the change of the
 * membership, under the organization's lock.
 */
export async function endInvitations(
  { db }: Pick<Context, 'db'>,
  input: { organizationId: string; inviterId: string },
): Promise<number> {
  const ended = unacceptable([input.organizationId]).where('i.inviter_id', '=', input.inviterId).returning('i.id');
  return (await db.rows(built(ended))).length;
}

/** Deletes the invitations of organizations whose inviters may no longer give the role. */
export const endedInvitations = (organizationIds: readonly string[]) => built(unacceptable(organizationIds));

const unacceptable = (organizationIds: readonly string[]) =>
  tables
    .deleteFrom('invitation as i')
    .where('i.organization_id', '=', anyOf(organizationIds))
    .where('i.expires_at', '>', now)
    .where(({ not }) => not(inviterMayGrant('i')));

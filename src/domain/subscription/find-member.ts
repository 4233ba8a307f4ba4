import sql, { empty } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { provenMemberships } from '../../engine/memberships.ts';

/**
 * The membership of a verified user in the viewer's organization.
 *
 * @param lock a locking clause
 */
export function findMember(
  { db, membership }: Pick<MemberContext, 'db' | 'membership'>,
  userId: string,
  lock = empty,
): Promise<object | undefined> {
  return db.row<object>(
    sql`select from (${provenMemberships}) m
      where m.organization_id = ${membership.organizationId}::uuid and m.user_id = ${userId}::uuid ${lock}`,
  );
}

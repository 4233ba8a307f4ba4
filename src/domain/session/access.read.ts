import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import type { Membership } from '../../kernel/request.ts';
import { proven } from '../access/memberships.ts';
import { tables } from '../tables/tables.ts';
import { isLiving } from './session-life.ts';

export interface SessionAccess {
  userId: string;
  memberships: ReadonlyMap<string, Membership>;
  /** Whether these are all memberships of the user. */
  complete: boolean;
}

/** Memberships that are read and cached with a session. */
const maxMemberships = 50;

const accessOf = prepared((at: { sessionId: string }) =>
  tables
    .selectFrom('session')
    .leftJoin(proven.select(['m.user_id', 'm.organization_id', 'm.role']).as('m'), 'm.user_id', 'session.user_id')
    .leftJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['session.user_id', 'm.organization_id', 'm.role', 'o.maker_id'])
    .where('session.id', '=', at.sessionId)
    .where(isLiving)
    .limit(sql.lit(maxMemberships + 1)),
);

/** In one statement; null if the session is not active. */
export async function findSessionAccess(db: Database, sessionId: string): Promise<SessionAccess | null> {
  const result = await db.rows(accessOf({ sessionId }));
  const [first] = result;
  if (!first) return null;
  const memberships = new Map<string, Membership>();
  for (const { organization_id: organizationId, role, maker_id: makerId } of result.slice(0, maxMemberships)) {
    if (organizationId !== null && role !== null) memberships.set(organizationId, { organizationId, role, makerId });
  }
  return { userId: first.user_id, memberships, complete: result.length <= maxMemberships };
}

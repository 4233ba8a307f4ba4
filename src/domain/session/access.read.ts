import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { provenMemberships } from '../../engine/memberships.ts';
import type { Membership, OrganizationRole } from '../../kernel/request.ts';
import { idleDays } from './session-life.ts';

/** An active session, with the memberships of its user by organization. */
export interface SessionAccess {
  userId: string;
  memberships: ReadonlyMap<string, Membership>;
  /** Whether these are all memberships of the user. */
  complete: boolean;
}

/** The maximum number of memberships that are read and cached with a session. */
const maxMemberships = 50;

/** A session with its user's memberships, in one statement; null if it is not active. */
export async function findSessionAccess(db: Database, sessionId: string): Promise<SessionAccess | null> {
  const result = await db.rows<{
    user_id: string;
    organization_id: string | null;
    role: OrganizationRole | null;
    maker_id: string | null;
  }>(
    sql`select s.user_id, m.organization_id, m.role, o.maker_id
        from session s left join (${provenMemberships}) m on m.user_id = s.user_id
          left join organization o on o.id = m.organization_id
        where s.id = ${sessionId} and s.ended_at is null and s.expires_at > now()
          and s.last_used_at > now() - make_interval(days => ${idleDays})
        limit ${maxMemberships + 1}`,
    { prepared: true },
  );
  const [first] = result;
  if (!first) return null;
  const memberships = new Map<string, Membership>();
  for (const { organization_id: organizationId, role, maker_id: makerId } of result.slice(0, maxMemberships)) {
    if (organizationId !== null && role !== null) memberships.set(organizationId, { organizationId, role, makerId });
  }
  return { userId: first.user_id, memberships, complete: result.length <= maxMemberships };
}

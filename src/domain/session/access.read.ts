import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { provenMemberships } from '../../engine/memberships.ts';
import type { OrganizationRole } from '../../kernel/request.ts';
import { idleDays } from './session-life.ts';

/** An active session, with the roles of its user by organization. */
export interface SessionAccess {
  userId: string;
  roles: ReadonlyMap<string, OrganizationRole>;
  /** Whether `roles` contains all memberships of the user. */
  complete: boolean;
}

/** The maximum number of memberships that are read and cached with a session. */
const maxRoles = 50;

/** A session with its user's memberships, in one statement; null if it is not active. */
export async function findSessionAccess(db: Database, sessionId: string): Promise<SessionAccess | null> {
  const result = await db.rows<{
    user_id: string;
    organization_id: string | null;
    role: OrganizationRole | null;
  }>(
    sql`select s.user_id, m.organization_id, m.role
        from session s left join (${provenMemberships}) m on m.user_id = s.user_id
        where s.id = ${sessionId} and s.ended_at is null and s.expires_at > now()
          and s.last_used_at > now() - make_interval(days => ${idleDays})
        limit ${maxRoles + 1}`,
    { prepared: true },
  );
  const [first] = result;
  if (!first) return null;
  const roles = new Map<string, OrganizationRole>();
  for (const { organization_id: organizationId, role } of result.slice(0, maxRoles)) {
    if (organizationId !== null && role !== null) roles.set(organizationId, role);
  }
  return { userId: first.user_id, roles, complete: result.length <= maxRoles };
}

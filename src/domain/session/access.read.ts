import type { EntityManager } from '@mikro-orm/postgresql';
import sql from 'sql-template-tag';
import { row, rows } from '../database.ts';
import type { OrganizationRole } from '../organization/membership.entity.ts';
import { idleDays } from './session-life.ts';

/** A session that lives, and what its user is in which organization. */
export interface SessionAccess {
  userId: string;
  roles: ReadonlyMap<string, OrganizationRole>;
  /** Whether `roles` holds every membership of the user. */
  complete: boolean;
}

/** How many memberships are read, and remembered, with a session. */
const maxRoles = 50;

/** A session with its user's memberships, in one statement; null where it does not live. */
export async function findSessionAccess(em: EntityManager, sessionId: string): Promise<SessionAccess | null> {
  const found = await rows<{ user_id: string; organization_id: string | null; role: OrganizationRole | null }>(
    em,
    sql`select s.user_id, m.organization_id, m.role
        from session s left join membership m on m.user_id = s.user_id
        where s.id = ${sessionId} and s.ended_at is null and s.expires_at > now()
          and s.last_used_at > now() - make_interval(days => ${idleDays})
        limit ${maxRoles + 1}`,
  );
  const [first] = found;
  if (!first) return null;
  const roles = new Map<string, OrganizationRole>();
  for (const { organization_id: organizationId, role } of found.slice(0, maxRoles)) {
    if (organizationId !== null && role !== null) roles.set(organizationId, role);
  }
  return { userId: first.user_id, roles, complete: found.length <= maxRoles };
}

/** The role of a user in one organization, or null. */
export async function findMembershipRole(
  em: EntityManager,
  userId: string,
  organizationId: string,
): Promise<OrganizationRole | null> {
  const found = await row<{ role: OrganizationRole }>(
    em,
    sql`select role from membership where organization_id = ${organizationId} and user_id = ${userId}`,
  );
  return found?.role ?? null;
}

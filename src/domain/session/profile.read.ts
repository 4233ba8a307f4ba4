import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { provenMemberships } from '../../engine/memberships.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { OrganizationRole, Viewer } from '../../kernel/request.ts';

/** The signed-in user, with their organizations and roles. */
export interface Profile {
  id: string;
  email: string;
  name: string;
  organizations: { id: string; name: string; slug: string; role: OrganizationRole }[];
}

interface ProfileRow {
  id: string;
  email: string;
  name: string;
  organization_id: string | null;
  organization_name: string;
  organization_slug: string;
  role: OrganizationRole;
}

/**
 * The viewer's account, with their organizations ordered by name.
 *
 * @throws DomainError INVALID_TOKEN if the account was deleted concurrently
 */
export async function getProfile(ctx: Pick<Context, 'db'> & { viewer: Viewer }): Promise<Profile> {
  const rows =
    await ctx.db.rows<ProfileRow>(sql`select u.id, u.email, u.name, o.id as organization_id, o.name as organization_name, o.slug as organization_slug, m.role
        from "user" u
        left join (${provenMemberships}) m on m.user_id = u.id
        left join organization o on o.id = m.organization_id
        where u.id = ${ctx.viewer.userId}
        order by o.name, o.id`);
  const [user] = rows;
  if (!user) throw new DomainError('INVALID_TOKEN');
  const organizations = rows.flatMap((each) =>
    each.organization_id === null
      ? []
      : [{ id: each.organization_id, name: each.organization_name, slug: each.organization_slug, role: each.role }],
  );
  return { id: user.id, email: user.email, name: user.name, organizations };
}

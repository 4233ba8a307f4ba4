import sql from 'sql-template-tag';
import { serveToViewer } from '../../engine/list/served-list.ts';
import { actingRoles } from '../access/memberships.ts';
import { type OrganizationRow, organizationResource } from './organization.resource.ts';

/** The organizations that the viewer belongs to, oldest first. */
export const ownOrganizations = serveToViewer<OrganizationRow>({
  resource: organizationResource,
  list: ({ viewer: { userId } }) => ({
    owner: userId,
    source: sql`select o.*, m.role from organization o
      join (${actingRoles}) m on m.organization_id = o.id and m.user_id = ${userId}::uuid`,
    visible: sql`true`,
    from: 'write',
  }),
});

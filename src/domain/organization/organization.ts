import sql from 'sql-template-tag';
import { serveToViewer } from '../../engine/list/served-list.ts';
import { textOf } from '../../engine/statement.ts';
import { acting } from '../access/memberships.ts';
import { tables } from '../tables/tables.ts';
import { type OrganizationRow, organizationResource } from './organization.resource.ts';

const withRoles = textOf(
  tables
    .selectFrom('organization as o')
    .innerJoin(acting.as('m'), 'm.organization_id', 'o.id')
    .selectAll('o')
    .select(['m.role', 'm.user_id']),
);

/** Oldest first. */
export const ownOrganizations = serveToViewer<OrganizationRow>({
  resource: organizationResource,
  list: ({ viewer: { userId } }) => ({
    owner: userId,
    source: withRoles,
    visible: sql`t.user_id = ${userId}::uuid`,
    from: 'write',
  }),
});

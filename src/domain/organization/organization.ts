import { sql } from 'kysely';
import { serveToViewer } from '../../engine/list/served-list.ts';
import { acting } from '../access/memberships.ts';
import { tables } from '../tables/tables.ts';
import { type OrganizationRow, organizationResource } from './organization.resource.ts';

const withRoles = tables
  .selectFrom('organization as o')
  .innerJoin(acting.as('m'), 'm.organization_id', 'o.id')
  .selectAll('o')
  .select(['m.role', 'm.user_id']);

/** Oldest first. */
export const ownOrganizations = serveToViewer<OrganizationRow>({
  resource: organizationResource,
  source: () => withRoles,
  visible: ({ owner }) => sql`t.user_id = ${owner}::uuid`,
  from: 'write',
});

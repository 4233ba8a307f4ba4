import { changeOrganization } from '../../domain/organization/change-organization.ts';
import { createOrganization } from '../../domain/organization/create-organization.ts';
import { organizationColumns } from '../../domain/organization/organization.resource.ts';
import { ownOrganizations } from '../../domain/organization/organization.ts';
import { getWaitingMails } from '../../domain/organization/waiting-mails.ts';
import type { PersonContext } from '../../engine/context.ts';
import { commandRoute } from '../server/command-route.ts';
import { itemRoute, listRoutes } from '../server/list.routes.ts';
import { organizationView, waitingMailsSchema } from '../server/resource.schemas.ts';
import { route, tagged } from '../server/route.ts';

const shown = { shows: organizationView, versionTag: true } as const;
const own = { ...ownOrganizations, view: organizationView };

export function readOrganization(ctx: PersonContext, { organization_id: id }: { organization_id: string }) {
  return ownOrganizations.get(ctx, id, organizationColumns);
}

export const organizationRoutes = tagged('organizations', [
  ...listRoutes('organizations', 'Organizations', {
    ...own,
    summary: "Lists the viewer's organizations, oldest first, each with the viewer's role.",
  }),
  commandRoute('POST /organizations', createOrganization, {
    ...shown,
    created: ({ organization_id }) => `/organizations/${organization_id}`,
    answer: readOrganization,
  }),
  itemRoute('organizations/{organization}', 'OwnOrganization', {
    ...own,
    summary: "One of the viewer's organizations.",
    versionTag: true,
  }),
  route('GET /organizations/{organization}/mails', 'getWaitingMails', {
    read: 'waitingMails',
    summary:
      'How many mails of an organization are waiting because it sent too many within an hour; for managers and owners.',
    access: 'user',
    response: waitingMailsSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    handle: ({ ctx, params: { organization = '' } }) => getWaitingMails(ctx, organization),
  }),
  itemRoute('organization', 'Organization', {
    access: 'organization',
    view: organizationView,
    summary: 'The organization that `x-organization-id` names.',
    get: (ctx, _id, columns) => ownOrganizations.get(ctx, ctx.membership.organizationId, columns),
    versionTag: true,
  }),
  commandRoute('PATCH /organization', changeOrganization, shown),
]);

import { changeOrganization } from '../../domain/organization/change-organization.ts';
import { createOrganization } from '../../domain/organization/create-organization.ts';
import {
  type OrganizationRow,
  organizationColumns,
  organizationResource,
} from '../../domain/organization/organization.resource.ts';
import { ownOrganizations } from '../../domain/organization/organization.ts';
import { getWaitingMails } from '../../domain/organization/waiting-mails.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/pick.ts';
import { parseUuid } from '../../kernel/uuid.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { projectionDocs } from '../server/list.schema.ts';
import { parseProjection, readUrlQuery } from '../server/list-query.ts';
import { organizationSchema, waitingMailsSchema } from '../server/resource.schemas.ts';
import { type Route, route } from '../server/route.ts';

const projection = { resource: organizationResource, relations: [] };

/** The viewer's organizations, and the one that a request is scoped to. */
export const organizationRoutes: Route[] = [
  ...listRoutes<'user', OrganizationRow>({
    path: '/organizations',
    name: 'Organizations',
    listName: 'OrganizationList',
    summary: "Lists the viewer's organizations, oldest first, each with the viewer's role.",
    tag: 'organizations',
    access: 'user',
    projection,
    item: organizationSchema,
    ...ownOrganizations,
  }),
  commandRoute({
    method: 'post',
    path: '/organizations',
    operationId: 'createOrganization',
    summary: 'Creates an organization with the viewer as its owner.',
    tag: 'organizations',
    command: createOrganization,
    response: organizationSchema,
    created: (id) => `/organizations/${id}`,
    answer: (ctx, id) => ownOrganizations.get(ctx, id, organizationColumns),
  }),
  route({
    method: 'get',
    path: '/organizations/{organization}',
    operationId: 'getOwnOrganization',
    summary: "One of the viewer's organizations.",
    tag: 'organizations',
    access: 'user',
    parameters: projectionDocs(projection),
    response: organizationSchema,
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: async ({ ctx, params, request }) => {
      const { fields } = parseProjection(projection, readUrlQuery(request.url));
      const id = parseUuid(params.organization);
      if (!id) throw new DomainError('NOT_FOUND');
      return pick(await ownOrganizations.get(ctx, id, fields), fields);
    },
  }),
  route({
    method: 'get',
    path: '/organizations/{organization}/mails',
    operationId: 'getWaitingMails',
    summary:
      'How many mails of an organization are waiting because it sent too many within an hour; for managers and owners.',
    tag: 'organizations',
    access: 'user',
    response: waitingMailsSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    handle: async ({ ctx, params }) => {
      const id = parseUuid(params.organization);
      if (!id) throw new DomainError('NOT_FOUND');
      return await getWaitingMails(ctx, id);
    },
  }),
  route({
    method: 'get',
    path: '/organization',
    operationId: 'getOrganization',
    summary: 'The organization that `x-organization-id` names.',
    tag: 'organizations',
    access: 'organization',
    parameters: projectionDocs(projection),
    response: organizationSchema,
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: async ({ ctx, request }) => {
      const { fields } = parseProjection(projection, readUrlQuery(request.url));
      return pick(await ownOrganizations.get(ctx, ctx.membership.organizationId, fields), fields);
    },
  }),
  commandRoute({
    method: 'patch',
    path: '/organization',
    operationId: 'changeOrganization',
    summary: 'Changes the name of the organization, or who can join it; for owners.',
    tag: 'organizations',
    command: changeOrganization,
    response: organizationSchema,
    answer: (ctx) => ownOrganizations.get(ctx, ctx.membership.organizationId, organizationColumns),
  }),
];

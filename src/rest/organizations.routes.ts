import { changeOrganization, changeOrganizationInput } from '../domain/organization/change-organization.ts';
import { createOrganization, createOrganizationInput } from '../domain/organization/create-organization.ts';
import {
  type OrganizationRow,
  organizationColumns,
  organizationResource,
} from '../domain/organization/organization.resource.ts';
import {
  countOwnOrganizations,
  getOwnOrganization,
  listOwnOrganizations,
} from '../domain/organization/organization.ts';
import { pick } from './list.presenter.ts';
import { listRoutes } from './list.routes.ts';
import { projectionDocs } from './list.schema.ts';
import { parseProjection, readUrlQuery } from './list-query.ts';
import { organizationSchema } from './resource.schemas.ts';
import { type Route, route } from './route.ts';

const projection = { resource: organizationResource, relations: [] };

/** The viewer's organizations, and the one that a request is scoped to. */
export const organizationRoutes: Route[] = [
  ...listRoutes<'user', OrganizationRow>({
    path: '/organizations',
    name: 'Organizations',
    listName: 'OrganizationList',
    summary: 'Lists the organizations that the viewer belongs to, oldest first, each with the own role.',
    tag: 'organizations',
    access: 'user',
    projection,
    item: organizationSchema,
    list: listOwnOrganizations,
    count: countOwnOrganizations,
  }),
  route({
    method: 'post',
    path: '/organizations',
    operationId: 'createOrganization',
    summary: 'Creates an organization whose owner is the viewer.',
    tag: 'organizations',
    access: 'user',
    body: createOrganizationInput,
    response: organizationSchema,
    errors: ['CONFLICT'],
    handle: async ({ ctx, body }) => getOwnOrganization(ctx, await createOrganization(ctx, body), organizationColumns),
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
      return pick(await getOwnOrganization(ctx, ctx.membership.organizationId, fields), fields);
    },
  }),
  route({
    method: 'patch',
    path: '/organization',
    operationId: 'changeOrganization',
    summary: 'Changes the name of the organization or who may join it; for owners.',
    tag: 'organizations',
    access: 'organization',
    role: 'owner',
    body: changeOrganizationInput,
    response: organizationSchema,
    errors: ['NOT_FOUND'],
    handle: async ({ ctx, body }) => {
      await changeOrganization(ctx, body);
      return getOwnOrganization(ctx, ctx.membership.organizationId, organizationColumns);
    },
  }),
];

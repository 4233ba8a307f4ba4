import type { Response } from 'express';
import { changeOrganization } from '../../domain/organization/change-organization.ts';
import { createOrganization } from '../../domain/organization/create-organization.ts';
import {
  type OrganizationRow,
  organizationColumns,
  organizationResource,
} from '../../domain/organization/organization.resource.ts';
import { ownOrganizations } from '../../domain/organization/organization.ts';
import { getWaitingMails } from '../../domain/organization/waiting-mails.ts';
import type { ViewerContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/pick.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { commandRoute, versionTag, versionTagDoc } from '../server/command-route.ts';
import { itemRoute, listRoutes } from '../server/list.routes.ts';
import { organizationSchema, waitingMailsSchema } from '../server/resource.schemas.ts';
import { type Route, route } from '../server/route.ts';

const projection = { resource: organizationResource, relations: [] };

const shown = { tag: 'organizations', response: organizationSchema, headers: { ETag: versionTagDoc } };

/** The viewer's organizations, and the one that a request is scoped to. */
export const organizationRoutes: Route[] = [
  ...listRoutes<'user', OrganizationRow>({
    path: '/organizations',
    name: 'Organizations',
    read: 'organizations',
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
    ...shown,
    command: createOrganization,
    created: (id) => `/organizations/${id}`,
    answer: (ctx, id) => ownOrganizations.get(ctx, id, organizationColumns),
    answerHeaders: () => ({ ETag: versionTag(1) }),
  }),
  itemRoute({
    path: '/organizations/{organization}',
    operationId: 'getOwnOrganization',
    read: 'ownOrganization',
    summary: "One of the viewer's organizations.",
    ...shown,
    access: 'user',
    projection,
    get: async ({ ctx, params, response }, { fields }) => {
      const id = parseUuid(params.organization);
      if (!id) throw new DomainError('NOT_FOUND');
      return await answerOwn(ctx, response, id, fields);
    },
  }),
  route({
    method: 'get',
    path: '/organizations/{organization}/mails',
    operationId: 'getWaitingMails',
    read: 'waitingMails',
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
  itemRoute({
    path: '/organization',
    operationId: 'getOrganization',
    read: 'organization',
    summary: 'The organization that `x-organization-id` names.',
    ...shown,
    access: 'organization',
    projection,
    get: async ({ ctx, response }, { fields }) => await answerOwn(ctx, response, ctx.membership.organizationId, fields),
  }),
  commandRoute({
    method: 'patch',
    path: '/organization',
    operationId: 'changeOrganization',
    summary:
      'Changes the organization: its name, who can join it, and what its public pages show; absent fields keep their values. For owners.',
    ...shown,
    command: changeOrganization,
    versioned: true,
    answer: (_ctx, organization) => organization,
    answerHeaders: ({ version }) => ({ ETag: versionTag(version) }),
  }),
];

/** One of the viewer's organizations, with its version in the header. */
async function answerOwn(ctx: ViewerContext, response: Response, id: string, fields: readonly string[]) {
  const organization = await ownOrganizations.get(ctx, id, [...fields, 'version']);
  response.set('etag', versionTag(organization.version));
  return pick(organization, fields);
}

import { z } from 'zod';
import { deleteOrganization } from '../../domain/leaving/delete-organization.ts';
import { exportOrganization } from '../../domain/leaving/export-organization.ts';
import { exportPerson } from '../../domain/leaving/export-person.ts';
import { commandRoute } from '../server/command-route.ts';
import { writeJsonDocument } from '../server/export.ts';
import { type Route, route } from '../server/route.ts';

const file = { 'application/json': { schema: { type: 'object' } } };
const day = (now: Date) => now.toISOString().slice(0, 10);

const deleting = { tag: 'organizations', command: deleteOrganization, object: 'organization' } as const;

/** Files with everything about a person or an organization , and the end of an organization (interface/leaving.md). */
export const leavingRoutes: Route[] = [
  route({
    method: 'get',
    path: '/auth/export',
    operationId: 'exportPerson',
    summary: 'Everything that is kept about the signed-in user, as a JSON document; at most 3 an hour.',
    tag: 'auth',
    access: 'user',
    response: z.unknown(),
    content: file,
    errors: ['RATE_LIMITED'],
    handle: async ({ ctx, response }) => {
      await exportPerson(ctx, (pieces, delivery) =>
        writeJsonDocument({ response, delivery }, `account-${day(ctx.now)}`, pieces),
      );
      response.end();
    },
  }),
  route({
    method: 'get',
    path: '/organizations/{organization}/export',
    operationId: 'exportOrganization',
    summary: 'The organization as a JSON document that `db:import` reads; for owners.',
    tag: 'organizations',
    access: 'user',
    response: z.unknown(),
    content: file,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED'],
    handle: async ({ ctx, params, response }) => {
      await exportOrganization(ctx, params.organization ?? '', (pieces, delivery) =>
        writeJsonDocument({ response, delivery }, `organization-${day(ctx.now)}`, pieces),
      );
      response.end();
    },
  }),
  commandRoute({
    ...deleting,
    method: 'delete',
    path: '/organizations/{organization}',
    operationId: 'deleteOrganization',
    summary:
      'Deletes an organization, whose name is repeated: it is unknown at once, and gone within an hour. For owners.',
    readDelete: (body) => body,
  }),
  commandRoute({
    ...deleting,
    method: 'post',
    path: '/organizations/{organization}/delete',
    operationId: 'deleteOrganizationByPost',
    summary: 'As `DELETE /organizations/{organization}`, for clients and proxies that drop the body of a DELETE.',
  }),
];

import { z } from 'zod';
import { deleteOrganization } from '../../domain/leaving/delete-organization.ts';
import { exportOrganization } from '../../domain/leaving/export-organization.ts';
import { exportPerson } from '../../domain/leaving/export-person.ts';
import { commandRoute } from '../server/command-route.ts';
import { jsonWriter } from '../server/export.ts';
import { route, tagged } from '../server/route.ts';

const file = {
  access: 'user',
  response: z.unknown(),
  content: { 'application/json': { schema: { type: 'object' } } },
} as const;
const day = (now: Date) => now.toISOString().slice(0, 10);

/** Files with everything about a person or an organization, and the end of an organization (reference/leaving.md). */
export const leavingRoutes = [
  ...tagged('auth', [
    route('GET /auth/export', 'exportPerson', {
      ...file,
      summary: 'Everything that is kept about the signed-in user, as a JSON document; at most 3 an hour.',
      errors: ['RATE_LIMITED'],
      handle: ({ ctx, response }) => exportPerson(ctx, jsonWriter(response, `account-${day(ctx.now)}`)),
    }),
  ]),
  ...tagged('organizations', [
    route('GET /organizations/{organization}/export', 'exportOrganization', {
      ...file,
      summary: 'The organization as a JSON document that `db:import` reads; for owners.',
      errors: ['NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED'],
      handle: ({ ctx, params: { organization = '' }, response }) =>
        exportOrganization(ctx, organization, jsonWriter(response, `organization-${day(ctx.now)}`)),
    }),
    commandRoute('DELETE /organizations/{organization}', deleteOrganization, { readDelete: (body) => body }),
    commandRoute('POST /organizations/{organization}/delete', deleteOrganization, {
      operationId: 'deleteOrganizationByPost',
      summary: 'As `DELETE /organizations/{organization}`, for clients and proxies that drop the body of a DELETE.',
    }),
  ]),
];

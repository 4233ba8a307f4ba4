import { z } from 'zod';
import type { MemberContext } from '../domain/context.ts';
import { changeMemberRole, removeMember, roleInput } from '../domain/organization/manage-members.ts';
import { type MembershipRow, membershipResource } from '../domain/organization/membership.resource.ts';
import { countMembers, getMember, listMembers } from '../domain/organization/membership.ts';
import { listRoutes } from './list.routes.ts';
import { projectionDocs } from './list.schema.ts';
import { parseProjection, readUrlQuery } from './list-query.ts';
import { memberRelations, presentMembers, relationColumns } from './member.presenter.ts';
import { memberSchema } from './resource.schemas.ts';
import { type Route, route } from './route.ts';

const projection = { resource: membershipResource, relations: memberRelations };
const fields = Object.keys(membershipResource.fields);

async function present(ctx: MemberContext, id: string, names: string[], include: string[]) {
  const row = await getMember(ctx, id, [...names, ...relationColumns(include)]);
  return (await presentMembers(ctx, [row], names, include))[0];
}

/** Who belongs to the organization, and as what. */
export const memberRoutes: Route[] = [
  ...listRoutes<'organization', MembershipRow>({
    path: '/members',
    name: 'Members',
    listName: 'MemberList',
    summary: 'Lists the members of the organization that the viewer may see, oldest first; a member sees itself alone.',
    tag: 'members',
    access: 'organization',
    projection,
    item: memberSchema,
    list: listMembers,
    count: countMembers,
    relationColumns,
    present: presentMembers,
  }),
  route({
    method: 'get',
    path: '/members/{member}',
    operationId: 'getMember',
    summary: 'One member of the organization.',
    tag: 'members',
    access: 'organization',
    parameters: projectionDocs(projection),
    response: memberSchema,
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: async ({ ctx, params, request }) => {
      const { fields: names, include } = parseProjection(projection, readUrlQuery(request.url));
      return present(ctx, params.member ?? '', names, include);
    },
  }),
  route({
    method: 'patch',
    path: '/members/{member}',
    operationId: 'changeMemberRole',
    summary: 'Gives a member another role: owners any, managers `manager` and `member`.',
    tag: 'members',
    access: 'organization',
    body: roleInput,
    response: memberSchema,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    handle: async ({ ctx, params, body }) => {
      const changed = await changeMemberRole(ctx, { id: params.member ?? '', role: body.role });
      return (await presentMembers(ctx, [changed], fields, []))[0];
    },
  }),
  route({
    method: 'delete',
    path: '/members/{member}',
    operationId: 'removeMember',
    summary: 'Removes a member, or leaves: whoever it was is out from the next request on.',
    tag: 'members',
    access: 'organization',
    response: z.literal(true),
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    handle: async ({ ctx, params }) => {
      await removeMember(ctx, { id: params.member ?? '' });
      return true;
    },
  }),
];

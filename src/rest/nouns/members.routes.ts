import { z } from 'zod';
import { changeMemberRole, removeMember } from '../../domain/membership/manage-members.ts';
import { type MembershipRow, membershipResource } from '../../domain/organization/membership.resource.ts';
import { members } from '../../domain/organization/membership.ts';
import type { MemberContext } from '../../engine/context.ts';
import { faults } from '../../kernel/errors.ts';
import { commandRoute } from '../server/command-route.ts';
import { itemRoute, listRoutes } from '../server/list.routes.ts';
import { memberSchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';
import type { RawParameters } from '../server/url-query.ts';
import { memberRelationColumns, memberRelations, presentMembers } from './member.presenter.ts';

const projection = { resource: membershipResource, relations: memberRelations };
const fields = Object.keys(membershipResource.fields);

async function present(ctx: MemberContext, id: string, names: string[], include: string[]) {
  const row = await members.get(ctx, id, [...names, ...memberRelationColumns(include)]);
  return (await presentMembers(ctx, [row], names, include))[0];
}

/** The input of a removal, from the body or the query string. @throws DomainError INVALID_QUERY */
function readRemoval(body: unknown, { values, issues: unread }: RawParameters<string>): unknown {
  const issues = [...unread];
  const { erase_answers: given } = values;
  if (given !== undefined && given !== 'true' && given !== 'false') {
    issues.push({ pointer: '/erase_answers', code: 'INVALID_QUERY', detail: '`erase_answers` is `true` or `false`.' });
  }
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return given === 'true' && isObject ? { ...body, erase_answers: true } : body;
}

/** The members of the organization, and their roles. */
export const memberRoutes: Route[] = [
  ...listRoutes<'organization', MembershipRow>({
    path: '/members',
    name: 'Members',
    read: 'members',
    listName: 'MemberList',
    summary:
      'Lists the members that the viewer may see, oldest first: managers and owners see all, members only themselves.',
    tag: 'members',
    access: 'organization',
    errors: ['FORBIDDEN'],
    projection,
    item: memberSchema,
    ...members,
    relationColumns: memberRelationColumns,
    present: presentMembers,
  }),
  itemRoute({
    path: '/members/{member}',
    operationId: 'getMember',
    read: 'member',
    summary: 'One member of the organization.',
    tag: 'members',
    access: 'organization',
    projection,
    response: memberSchema,
    get: async ({ ctx, params }, { fields: names, include }) => present(ctx, params.member ?? '', names, include),
  }),
  commandRoute({
    method: 'patch',
    path: '/members/{member}',
    operationId: 'changeMemberRole',
    summary: 'Changes the role of a member: owners can assign any role, managers `manager` and `member`.',
    tag: 'members',
    command: changeMemberRole,
    object: 'member',
    response: memberSchema,
    answer: async (ctx, changed) => (await presentMembers(ctx, [changed], fields, []))[0],
  }),
  commandRoute({
    method: 'delete',
    path: '/members/{member}',
    operationId: 'removeMember',
    summary: 'Removes a member, or leaves the organization. Takes effect with the next request.',
    tag: 'members',
    command: removeMember,
    object: 'member',
    parameters: [
      {
        name: 'erase_answers',
        in: 'query',
        description: 'The same as in the body, for clients and proxies that drop the body of a DELETE.',
        schema: { type: 'boolean' },
      },
    ],
    readDelete: readRemoval,
    response: z.literal(true),
    answer: () => true,
  }),
];

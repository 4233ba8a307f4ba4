import { changeMemberRole, removeMember } from '../../domain/membership/manage-members.ts';
import { type MembershipRow, membershipResource } from '../../domain/organization/membership.resource.ts';
import { members } from '../../domain/organization/membership.ts';
import { faults } from '../../kernel/errors.ts';
import { isRecord } from '../../kernel/is-record.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { memberSchema } from '../server/resource.schemas.ts';
import { queryDocs, type Route } from '../server/route.ts';
import type { RawParameters } from '../server/url-query.ts';
import { memberRelationColumns, memberRelations, presentMembers } from './member.presenter.ts';

const projection = { resource: membershipResource, relations: memberRelations };
const fields = Object.keys(membershipResource.fields);

/** The input of a removal, from the body or the query string. @throws DomainError INVALID_QUERY */
function readRemoval(body: unknown, { values, issues: unread }: RawParameters<string>): unknown {
  const issues = [...unread];
  const { erase_answers: given } = values;
  if (given !== undefined && given !== 'true' && given !== 'false') {
    issues.push({ pointer: '/erase_answers', code: 'INVALID_QUERY', detail: '`erase_answers` is `true` or `false`.' });
  }
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  return given === 'true' && isRecord(body) ? { ...body, erase_answers: true } : body;
}

/** The members of the organization, and their roles. */
export const memberRoutes: Route[] = [
  ...listRoutes<'organization', MembershipRow>({
    path: '/members',
    name: 'Members',
    read: 'members',
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
    one: {
      ...{ parameter: 'member', operationId: 'getMember', read: 'member' },
      summary: 'One member of the organization.',
      get: async (ctx, id, { fields: names, include }) => {
        const row = await members.get(ctx, id, [...names, ...memberRelationColumns(include)]);
        return (await presentMembers(ctx, [row], names, include))[0];
      },
    },
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
    parameters: queryDocs({
      erase_answers: {
        type: 'boolean',
        description: 'The same as in the body, for clients and proxies that drop the body of a DELETE.',
      },
    }),
    readDelete: readRemoval,
  }),
];

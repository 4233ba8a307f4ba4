import { isRecord } from '#input-values';
import { changeMemberRole, removeMember } from '../../domain/membership/manage-members.ts';
import { members } from '../../domain/organization/membership.ts';
import { relatedUserLoader } from '../../domain/user/user.ts';
import { faults } from '../../kernel/errors.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { memberView } from '../server/resource.schemas.ts';
import { queryDocs, tagged } from '../server/route.ts';
import type { RawParameters } from '../server/url-query.ts';

/** @throws DomainError INVALID_QUERY */
function readRemoval(body: unknown, { values, issues: unread }: RawParameters<string>): unknown {
  const issues = [...unread];
  const { erase_answers: given } = values;
  if (given !== undefined && given !== 'true' && given !== 'false') {
    issues.push({ pointer: '/erase_answers', code: 'INVALID_QUERY', detail: '`erase_answers` is `true` or `false`.' });
  }
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  return given === 'true' && isRecord(body) ? { ...body, erase_answers: true } : body;
}

export const memberRoutes = tagged('members', [
  ...listRoutes('members', 'Members', {
    ...members,
    view: memberView,
    summary:
      'Lists the members that the viewer may see, oldest first: managers and owners see all, members only themselves.',
    errors: ['FORBIDDEN'],
    relations: { user: relatedUserLoader },
    one: { parameter: 'member', summary: 'One member of the organization.' },
  }),
  commandRoute('PATCH /members/{member}', changeMemberRole, { shows: memberView }),
  commandRoute('DELETE /members/{member}', removeMember, {
    parameters: queryDocs({
      erase_answers: {
        type: 'boolean',
        description: 'The same as in the body, for clients and proxies that drop the body of a DELETE.',
      },
    }),
    readDelete: readRemoval,
  }),
]);

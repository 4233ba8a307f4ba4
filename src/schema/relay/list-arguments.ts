import { type Condition, everything } from '../../engine/list/condition.ts';
import type { Paging } from '../../engine/list/list.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import { parseWhere } from '../../engine/list/where.ts';
import { collectIssues, faults, type Issue } from '../../kernel/errors.ts';
import { type PageArguments, relayPaging } from './connection.ts';
import { type WhereValue, whereDialect } from './where.ts';

/** The arguments that every list has. */
export type ListArguments = PageArguments & { where?: WhereValue | null };

type RelayPaging = Extract<Paging, { by: 'bounds' }>;

/**
 * The filter and the page of the arguments.
 *
 * @throws DomainError INVALID_QUERY with all issues of both
 */
export function listArguments(
  resource: ListResource,
  args: ListArguments,
  direction: 1 | -1,
): { where: Condition; paging: RelayPaging } {
  const issues: Issue[] = [];
  const where = collectIssues(issues, everything, () => parseWhere(resource, args.where, whereDialect));
  const paging = collectIssues<RelayPaging | null>(issues, null, () => relayPaging(args, direction));
  if (paging === null || issues.length > 0) throw faults('INVALID_QUERY', issues);
  return { where, paging };
}

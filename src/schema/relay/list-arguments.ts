import { collectIssues, faults, type Issue } from '../../domain/errors.ts';
import { type Condition, everything } from '../../domain/list/condition.ts';
import type { Paging } from '../../domain/list/list.ts';
import type { ListResource } from '../../domain/list/resource.ts';
import { parseWhere } from '../../domain/list/where.ts';
import { type PageArguments, relayPaging } from './connection.ts';
import { type WhereValue, whereDialect } from './where.ts';

/** The arguments that every list has. */
export type ListArguments = PageArguments & { where?: WhereValue | null };

type RelayPaging = Extract<Paging, { face: 'relay' }>;

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

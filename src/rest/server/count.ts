import type { Response } from 'express';
import type { Condition } from '../../engine/list/condition.ts';
import { type Count, greatestCap, parseCap } from '../../engine/list/count.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import { collectIssues, faults } from '../../kernel/errors.ts';
import { whereSchema } from './list.schema.ts';
import { listParameters, parseFilter } from './list-query.ts';
import { queryDocs, type Route } from './route.ts';
import type { RawParameters } from './url-query.ts';

const exactHeader = 'x-count-exact';

/**
 * Responds with a number; with `max`, a header says whether it is exact.
 *
 * @throws DomainError INVALID_QUERY with all issues
 */
export async function answerCount(
  { query: { values, issues: unread }, response }: { query: RawParameters<string>; response: Response },
  resource: ListResource,
  count: (where: Condition, max: number | undefined) => Promise<Count>,
): Promise<number> {
  const issues = [...unread];
  const { max: digits } = values;
  const where = parseFilter(resource, values.where, issues);
  const max = collectIssues(issues, undefined, () =>
    typeof digits === 'string' ? parseCap(/^\d+$/.test(digits) ? Number(digits) : Number.NaN) : undefined,
  );
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  const { value, exact } = await count(where, max);
  if (max !== undefined) response.setHeader(exactHeader, String(exact));
  return value;
}

export function countDocs(resource: ListResource): Pick<Route, 'parameters' | 'ignored' | 'headers'> {
  const max = {
    ...{ type: 'integer', minimum: 1, maximum: greatestCap },
    description: `Stops counting at this number, which limits the cost; \`${exactHeader}\` says whether the number is exact. Without it, the number is always exact.`,
  };
  const description = 'Only with `max`: whether the number is exact; `false` if there are more items.';
  return {
    parameters: queryDocs({ where: whereSchema(resource), max }),
    ignored: listParameters,
    headers: { [exactHeader]: { description, schema: { type: 'boolean' } } },
  };
}

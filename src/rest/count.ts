import type { Request, Response } from 'express';
import type { Condition } from '../domain/list/condition.ts';
import { type Count, greatestCap } from '../domain/list/count.ts';
import type { ListResource } from '../domain/list/resource.ts';
import { whereDoc } from './list.schema.ts';
import { readCountQuery } from './list-query.ts';
import type { HeaderDoc, ParameterDoc } from './route.ts';

const exactHeader = 'x-count-exact';

/** Reads the request of a count and answers it: a bare number, and with `max` a header that says whether it is exact. */
export async function answerCount(
  { request, response }: { request: Request; response: Response },
  resource: ListResource,
  count: (where: Condition, max: number | undefined) => Promise<Count>,
): Promise<number> {
  const { where, max } = readCountQuery(resource, request.url);
  const { value, exact } = await count(where, max);
  if (max !== undefined) response.setHeader(exactHeader, String(exact));
  return value;
}

/** What the operation of a count takes, and answers besides the number. */
export function countDocs(resource: ListResource): { parameters: ParameterDoc[]; headers: Record<string, HeaderDoc> } {
  const max: ParameterDoc = {
    name: 'max',
    in: 'query',
    description: `How far to count, which bounds what counting costs: the answer is never above it, and \`${exactHeader}\` says whether it is exact. Without it the answer is.`,
    schema: { type: 'integer', minimum: 1, maximum: greatestCap },
  };
  const description = 'Only with `max`: whether there are just so many; `false` where there are more.';
  return {
    parameters: [whereDoc(resource), max],
    headers: { [exactHeader]: { description, schema: { type: 'boolean' } } },
  };
}

import type { ZodType } from 'zod';
import { didYouMean, parseTimestamp, parseUuid } from '#input-values';
import { type Condition, everything } from '../../engine/list/condition.ts';
import type { ListInput } from '../../engine/list/list.ts';
import type { Dialect, ListResource } from '../../engine/list/resource.ts';
import { parseWhere, whereLimits } from '../../engine/list/where.ts';
import { areEnough, collectIssues, fault, faults, type Issue } from '../../kernel/errors.ts';
import type { RawParameters } from './url-query.ts';

export const restDialect: Dialect = {
  fieldName: (field) => field,
  operatorName: (operator) => `$${operator}`,
  parseId: parseUuid,
  bareValues: true,
  nullIsAbsent: false,
};

/** Also used for an invalid `limit` (reference/lists.md#parameters). */
export const maxPageSize = 50;

export const listParameters = ['where', 'limit', 'token', 'from', 'sort', 'fields', 'include'] as const;
type Parameter = (typeof listParameters)[number];

export type RawQuery = RawParameters<Parameter>;

/** The names that `fields` and `include` accept for a noun. */
export interface Projection {
  resource: ListResource;
  relations: readonly string[];
  /** Returned only if `fields` names them. */
  computed?: Readonly<Record<string, ZodType>>;
}

/** `fields` are in the order of the resource. */
export interface Projected {
  fields: string[];
  include: string[];
}

export interface ListQuery extends Projected {
  input: ListInput;
}

export function readUrlQuery({ values: { where: text, ...values }, issues: unread }: RawParameters<string>): RawQuery {
  const issues = [...unread];
  const where = typeof text === 'string' ? collectIssues(issues, undefined, () => parseWhereText(text)) : undefined;
  return { values: where === undefined ? values : { ...values, where }, issues };
}

/** Reports all issues at once. @throws DomainError INVALID_QUERY, INVALID_CURSOR */
export function parseListQuery(projection: Projection, { values, issues: unread }: RawQuery): ListQuery {
  const issues = [...unread];
  const where =
    values.where === undefined
      ? everything
      : collectIssues(issues, everything, () => parseWhere(projection.resource, values.where, restDialect));
  const sort = collectIssues(issues, 1 as const, () => parseSort(values.sort));
  const time = collectIssues(issues, null, () => parseFrom(values));
  const { fields, include } = project(projection, values, issues);
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  const token = parseToken(values.token);
  const size = parseLimit(values.limit);
  return {
    input: { where, columns: fields, paging: { by: 'token', token, sort, size, time } },
    fields,
    include,
  };
}

/** @throws DomainError INVALID_QUERY */
export function parseProjection(projection: Projection, { values, issues: unread }: RawQuery): Projected {
  const issues = [...unread];
  const projected = project(projection, values, issues);
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  return projected;
}

export function project(
  { resource, relations, computed = {} }: Projection,
  values: RawQuery['values'],
  issues: Issue[],
): Projected {
  const all = Object.keys(resource.fields);
  const known = [...all, ...Object.keys(computed)];
  const named = parseNames(values.fields, '/fields', known, issues);
  const include = parseNames(values.include, '/include', relations, issues);
  return { fields: named ? known.filter((name) => named.includes(name)) : all, include: include ?? [] };
}

export function parseFilter(resource: ListResource, text: unknown, issues: Issue[]): Condition {
  if (typeof text !== 'string') return everything;
  return collectIssues(issues, everything, () => parseWhere(resource, parseWhereText(text), restDialect));
}

function parseWhereText(text: string): unknown {
  const refuse = (detail: string) => fault('INVALID_QUERY', '/where', detail);
  if (text === '') throw refuse('`where` is empty; leave it out to have no filter.');
  if (Buffer.byteLength(text) > whereLimits.bytes)
    throw refuse(`A filter can have at most ${whereLimits.bytes} bytes.`);
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('`where` is not valid JSON.');
  }
}

/** Never fails: anything but an integer from 1 to 50 counts as 50 (reference/lists.md#parameters). */
export function parseLimit(value: unknown): number {
  const limit = typeof value === 'string' && /^0*[1-9]\d?$/.test(value) ? Number(value) : value;
  return Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= maxPageSize
    ? (limit as number)
    : maxPageSize;
}

export function parseSort(value: unknown): 1 | -1 {
  if (value === undefined || value === 1 || value === '1') return 1;
  if (value === -1 || value === '-1') return -1;
  throw fault('INVALID_QUERY', '/sort', '`sort` is 1 (ascending) or -1.');
}

/** The time where the first page begins (reference/lists.md#from). */
function parseFrom({ from, token }: RawQuery['values']): string | null {
  if (from === undefined) return null;
  if (token !== undefined) throw fault('INVALID_QUERY', '/from', '`from` begins a list; a `token` continues one.');
  const time = parseTimestamp(from);
  if (time === null) {
    const hint = typeof from === 'string' && from.includes(' ') ? '; in a URL, `+` is written `%2B`' : '';
    throw fault('INVALID_QUERY', '/from', `A timestamp must be ISO 8601 with time and zone${hint}.`);
  }
  return time;
}

export function parseToken(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw fault('INVALID_CURSOR', '/token', '`token` is a cursor taken from `next` or `prev`.');
}

export function parseNames(
  value: unknown,
  pointer: string,
  known: readonly string[],
  issues: Issue[],
): string[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') {
    issues.push({ pointer, code: 'INVALID_QUERY', detail: 'Names separated by a space are expected.' });
    return undefined;
  }
  if (value.includes(',')) {
    const separated = value
      .slice(0, 100)
      .split(/[\s,]+/)
      .join(' ')
      .trim();
    issues.push({ pointer, code: 'INVALID_QUERY', detail: `Separate the names by a space: \`${separated}\`.` });
    return undefined;
  }
  const names = value.split(' ').filter((name) => name !== '');
  if (names.length === 0) return undefined;
  for (const name of names) {
    // each one is compared with all known names
    if (areEnough(issues)) break;
    if (known.includes(name)) continue;
    const hint = known.length > 0 ? didYouMean(name, known) : '; there are none here.';
    issues.push({ pointer, code: 'INVALID_QUERY', detail: `Unknown name \`${name.slice(0, 100)}\`${hint}` });
  }
  return [...new Set(names)];
}

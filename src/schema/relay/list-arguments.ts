import { type Condition, everything } from '../../engine/list/condition.ts';
import type { Paging } from '../../engine/list/list.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import { parseWhere } from '../../engine/list/where.ts';
import { collectIssues, faults, type Issue } from '../../kernel/errors.ts';
import { builder } from '../builder/builder.ts';
import type { FieldCost } from '../builder/field-extensions.ts';
import { type WhereValue, whereDialect } from './where.ts';

/** Also the default. */
const maxPage = 50;

/** Null counts as absent (Relay sends `last: null`). */
export interface PageArguments {
  from?: string | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

export const pageArguments = builder.args((t) => ({
  from: t.field({
    type: 'DateTime',
    description:
      "Only the items from this time on, in the list's order; `hasPreviousPage` says whether any precede them. Not together with `after` or `before`.",
  }),
  first: t.int({
    description:
      'The number of items to return from the start. More than 50 counts as 50; without `first` and `last`, 50 are returned. A page of very large items ends earlier.',
  }),
  after: t.string({ description: 'Only items after this cursor. An empty string counts as absent.' }),
  last: t.int({
    description: 'The number of items to return from the end. More than 50 counts as 50. Not together with `first`.',
  }),
  before: t.string({ description: 'Only items before this cursor. An empty string counts as absent.' }),
}));

/** The arguments may be invalid. */
export function pageSize(args: PageArguments): number {
  return Math.max(0, Math.min(args.first ?? args.last ?? maxPage, maxPage));
}

export type ListArguments = PageArguments & { where?: WhereValue | null };

type RelayPaging = Extract<Paging, { by: 'bounds' }>;

/** @throws DomainError INVALID_QUERY with all issues of filter and page */
export function listArguments(
  resource: ListResource,
  args: ListArguments,
  direction: 1 | -1,
): { where: Condition; paging: RelayPaging } {
  const { where: filter } = args;
  const issues: Issue[] = [];
  const where = filter
    ? collectIssues(issues, everything, () => parseWhere(resource, filter, whereDialect))
    : everything;
  const paging = relayPaging(args, direction, issues);
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  return { where, paging };
}

function relayPaging(args: PageArguments, direction: 1 | -1, issues: Issue[]): RelayPaging {
  const first = args.first ?? null;
  const last = args.last ?? null;
  const refuse = (pointer: string, detail: string) => issues.push({ pointer, code: 'INVALID_QUERY', detail });
  if (first !== null && last !== null) refuse('/last', 'Only one of `first` and `last` can be given.');
  if (first !== null && first < 0) refuse('/first', '`first` must not be negative.');
  if (last !== null && last < 0) refuse('/last', '`last` must not be negative.');
  if (args.from && (args.after || args.before)) {
    refuse('/from', '`from` begins a list; `after` and `before` go on with one.');
  }
  return {
    by: 'bounds',
    anchor: last === null ? 'start' : 'end',
    direction,
    size: pageSize(args),
    after: args.after || null,
    before: args.before || null,
    time: args.from ?? null,
  };
}

export const pageOfNodes: FieldCost = (argument) =>
  pageSize({ first: argument('first'), last: argument('last') } as PageArguments);
/** Without pages; counted like one. */
export const shortList: FieldCost = maxPage;

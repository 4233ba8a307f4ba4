import sql, { raw, type Sql } from 'sql-template-tag';
import { collectIssues, fault, faults, type Issue } from '../../kernel/errors.ts';
import { requireRole } from '../../kernel/request.ts';
import { type Context, type MemberContext, withViewer } from '../context.ts';
import type { ListCursors } from '../cursor.ts';
import { beginning, type Position } from '../position.ts';
import { type Condition, canonicalText, conditionSql, everything, isEverything, leavesOf } from './condition.ts';
import { type Count, readCounts } from './count.ts';
import {
  filtered,
  type ListStatement,
  listSql,
  type NestedPage,
  readRawPages,
  type Strands,
  select,
  shapeRow,
  tableSql,
} from './list.sql.ts';
import { makePage, type Page, tokenWindow, type Window } from './page.ts';
import { filterOf, type ListResource } from './resource.ts';

/** Where a page starts and how long it is, with cursors that are not opened yet. */
export type Paging = (
  | { by: 'token'; token: string | null; sort: 1 | -1; size: number }
  | {
      by: 'bounds';
      anchor: 'start' | 'end';
      direction: 1 | -1;
      size: number;
      after: string | null;
      before: string | null;
    }
) & {
  /** Where the list starts, instead of a cursor (reference/lists.md#from). */
  time?: string | null;
};

/** The input of a list, as in {@link ListStatement}; cursors and flags are the default. */
export interface ListInput {
  where: Condition;
  order?: string;
  paging: Paging;
  columns: readonly string[];
  cursors?: boolean;
  flags?: boolean;
  nested?: NestedPage | null;
  joined?: ListStatement['joined'];
}

/** The list that a cursor is valid for (reference/lists.md#tokens). */
export interface CursorBinding {
  /** The id of the organization or user. */
  owner: string;
  resource: ListResource;
  /** The id of the row that the list belongs to, if it is not the owner's. */
  parent?: string | undefined;
  order: string;
  where: Condition;
}

/** Opens and seals the cursors of one list of a request. */
export class CursorScope {
  private readonly ctx: Context;
  private readonly list: CursorBinding;
  private bound: ListCursors | undefined;

  constructor(ctx: Context, list: CursorBinding) {
    this.ctx = ctx;
    this.list = list;
  }

  seal = (position: Position): string => this.cursors().seal(position);

  /** @throws DomainError INVALID_CURSOR */
  window(paging: Paging): Window {
    const { time = null } = paging;
    if (paging.by === 'token') {
      const { sort, size } = paging;
      if (time !== null) return tokenWindow(beginning(time, sort), sort, size);
      return tokenWindow(this.open(paging.token, '/token'), sort, size);
    }
    const { anchor, direction, size } = paging;
    if (time !== null) return { anchor, direction, size, after: beginning(time, direction), before: null };
    const issues: Issue[] = [];
    const open = (token: string | null, pointer: string) =>
      token === null ? null : collectIssues(issues, null, () => this.open(token, pointer));
    const after = open(paging.after, '/after');
    const before = open(paging.before, '/before');
    if (issues.length > 0) throw faults('INVALID_CURSOR', issues);
    return { anchor, direction, size, after, before };
  }

  /** Computed only if a cursor is sent or returned. */
  private cursors(): ListCursors {
    if (this.bound) return this.bound;
    const { owner, resource, parent = '', order, where } = this.list;
    const ofViewer = leavesOf(where).some((leaf) => leaf.ofViewer);
    const viewer = ofViewer ? [withViewer(this.ctx).viewer.userId] : [];
    this.bound = this.ctx.services.cursors.bind(owner, resource.name, parent, order, canonicalText(where), ...viewer);
    return this.bound;
  }

  private open(token: string | null, pointer: string): Position | null {
    if (token === null) return null;
    const position = this.cursors().open(token);
    if (position) return position;
    throw fault('INVALID_CURSOR', pointer, 'The cursor does not belong to this list with this filter and order.');
  }
}

/** In the unfiltered list of the organization. */
export function rowCursor(ctx: MemberContext, resource: ListResource, row: { id: string }): string {
  const { order } = resource;
  const owner = ctx.membership.organizationId;
  const scope = new CursorScope(ctx, { owner, resource, order, where: everything });
  return scope.seal({ time: Date.parse((row as Record<string, string>)[order] as string), id: row.id });
}

/** Pages by parent ('' if there is none). A single page is cut off if its rows are large; several are refused if too large. */
export async function readPages<Row>(
  ctx: Context,
  statement: ListStatement,
  scope: (parent: string) => CursorScope,
  parents = 1,
): Promise<Map<string, Page<Row>>> {
  const { from = 'read' as const, prepared = false } = statement;
  let early = false;
  const endEarly = () => {
    early = true;
  };
  const endsEarly = parents === 1 ? endEarly : undefined;
  const options = { ...(prepared ? { prepared } : filtered), from, endsEarly };
  const groups = readRawPages<Row>(statement, await ctx.db.rows(listSql(statement), options));
  const pages = new Map<string, Page<Row>>();
  for (const [parent, group] of groups) {
    group.endsEarly = early;
    for (const row of group.rows) statement.nested?.take(row as object);
    pages.set(parent, makePage(statement.window, group, positionIn(statement), scope(parent).seal));
  }
  return pages;
}

export function positionIn<Row>({ order }: ListStatement): (row: Row) => Position {
  return (row) => {
    const keys = row as Record<string, string>;
    return { time: Date.parse(keys[order] as string), id: keys.id as string };
  };
}

/** A list that belongs to an organization or to a user. */
export interface OwnList {
  resource: ListResource;
  /** As in {@link CursorBinding}. */
  owner: string;
  /** As in {@link CursorBinding}. */
  parent?: string;
  /** The rows that the viewer may see, as a condition over the alias `t`. */
  visible: Sql;
  /** Additional rows that the viewer may see. */
  strands?: Strands;
  /** As in {@link ListStatement}. */
  source?: ListStatement['source'];
  from?: ListStatement['from'];
}

/** @throws DomainError FORBIDDEN, INVALID_CURSOR */
export async function readOwnPage<Row>(ctx: Context, list: OwnList, input: ListInput): Promise<Page<Row>> {
  requireFilters(ctx, list, input.where);
  const { resource, owner, parent, source, from } = list;
  const order = input.order ?? resource.order;
  const scope = new CursorScope(ctx, { owner, resource, parent, order, where: input.where });
  const window = scope.window(input.paging);
  const matching = listRows(ctx, list, input.where);
  const { columns, cursors = true, flags = true, nested, joined } = input;
  const prepared = isEverything(input.where) && nested?.prepared !== false;
  const statement = { resource, source, from, columns, cursors, flags, order, ...matching, window, prepared };
  const pages = await readPages<Row>(ctx, { ...statement, nested, joined }, () => scope);
  return pages.get('') as Page<Row>;
}

/** Counts up to `max` rows, if given. @throws DomainError FORBIDDEN */
export async function readOwnCount(ctx: Context, list: OwnList, where: Condition, max?: number): Promise<Count> {
  requireFilters(ctx, list, where);
  const { resource, source, from } = list;
  const counts = await readCounts(ctx, { resource, source, from, ...listRows(ctx, list, where) }, max);
  return counts.get('') as Count;
}

/** @throws DomainError FORBIDDEN for a filter that needs a higher role */
function requireFilters(ctx: Context, { resource }: OwnList, where: Condition): void {
  for (const { field } of leavesOf(where)) {
    const role = filterOf(resource, field)?.role;
    if (role) requireRole(ctx, role);
  }
}

/** The rows of the list with these ids, in no particular order; always read from the primary. */
export async function findOwnRows<Row>(
  ctx: Context,
  list: OwnList,
  ids: readonly string[],
  columns: readonly string[],
  nested?: NestedPage | null,
): Promise<Row[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `t.${name}`).join(', ');
  const { visible, strands } = list;
  const seen = strands ? sql`(${visible} or exists (select from ${strands.table} s where ${strands.link}))` : visible;
  const found = select(raw(names), tableSql(list), sql`where t.id = any(${ids}::uuid[]) and ${seen}`);
  const statement = nested ? select(raw('page.*, _nested'), sql`(${found}) page ${nested.join}`) : found;
  const rows = await ctx.db.rows(statement, { prepared: nested?.prepared ?? true });
  for (const row of rows) nested?.take(row);
  return rows.map((each) => shapeRow<Row>(list.resource, each));
}

/** The rows that the viewer may see, with the client's filter. */
function listRows(
  ctx: Context,
  { resource, visible, strands }: OwnList,
  where: Condition,
): Pick<ListStatement, 'condition' | 'strands'> {
  const filter = conditionSql(resource, where, ctx);
  const condition = sql`${visible} and ${filter}`;
  return strands ? { condition, strands: { ...strands, link: sql`${strands.link} and ${filter}` } } : { condition };
}

import { sql } from 'kysely';
import { collectIssues, fault, faults, type Issue } from '../../kernel/errors.ts';
import { requireRole } from '../../kernel/request.ts';
import { type Context, type MemberContext, withViewer } from '../context.ts';
import type { ListCursors } from '../cursor.ts';
import { beginning, type Position } from '../position.ts';
import { type Condition, canonicalText, everything, isEverything, leavesOf } from './condition.ts';
import { type Count, readCounts } from './count.ts';
import { columnsSql, conditionOf, filtered, listSql, rowsStatement, select, strandsOf, tableSql } from './list.sql.ts';
import {
  type ListStatement,
  makePage,
  type NestedPage,
  type Page,
  readRawPages,
  shapeRow,
  tokenWindow,
  type Window,
} from './page.ts';
import { filterOf, type ListDefinition, type ListResource } from './resource.ts';

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
  let early = false;
  const endEarly = () => {
    early = true;
  };
  const endsEarly = parents === 1 ? endEarly : undefined;
  const plan = isPlanKept(statement) ? { prepared: true } : filtered;
  const options = { ...plan, from: statement.list.from ?? 'read', endsEarly } as const;
  const groups = readRawPages<Row>(statement, await ctx.db.rows(listSql(ctx, statement), options));
  const pages = new Map<string, Page<Row>>();
  for (const [parent, group] of groups) {
    group.endsEarly = early;
    for (const row of group.rows) statement.nested?.take(row as object);
    pages.set(parent, makePage(statement.window, group, positionIn(statement), scope(parent).seal));
  }
  return pages;
}

/** Whether no client's filter is part of it, on which the best plan depends. */
export function isPlanKept({ where, nested }: Pick<ListStatement, 'where' | 'nested'>): boolean {
  return isEverything(where) && nested?.prepared !== false;
}

export function positionIn<Row>({ order }: ListStatement): (row: Row) => Position {
  return (row) => {
    const keys = row as Record<string, string>;
    return { time: Date.parse(keys[order] as string), id: keys.id as string };
  };
}

/** A list that belongs to an organization or to a user. */
export interface OwnList {
  list: ListDefinition;
  /** As in {@link CursorBinding}. */
  owner: string;
}

/** @throws DomainError FORBIDDEN, INVALID_CURSOR */
export async function readOwnPage<Row>(ctx: Context, own: OwnList, input: ListInput): Promise<Page<Row>> {
  requireFilters(ctx, own.list.resource, input.where);
  const { resource } = own.list;
  const { where, columns, cursors = true, flags = true, order = resource.order, nested, joined } = input;
  const scope = new CursorScope(ctx, { owner: own.owner, resource, order, where });
  const window = scope.window(input.paging);
  const statement = { ...own, where, columns, cursors, flags, order, window, nested, joined };
  const pages = await readPages<Row>(ctx, statement, () => scope);
  return pages.get('') as Page<Row>;
}

/** Counts up to `max` rows, if given. @throws DomainError FORBIDDEN */
export async function readOwnCount(ctx: Context, own: OwnList, where: Condition, max?: number): Promise<Count> {
  requireFilters(ctx, own.list.resource, where);
  const counts = await readCounts(ctx, { ...own, where }, max);
  return counts.get('') as Count;
}

/** @throws DomainError FORBIDDEN for a filter that needs a higher role */
function requireFilters(ctx: Context, resource: ListResource, where: Condition): void {
  for (const { field } of leavesOf(where)) {
    const role = filterOf(resource, field)?.role;
    if (role) requireRole(ctx, role);
  }
}

/** The rows of the list with these ids, in no particular order; always read from the primary. */
export async function findOwnRows<Row>(
  ctx: Context,
  own: OwnList,
  ids: readonly string[],
  columns: readonly string[],
  nested?: NestedPage | null,
): Promise<Row[]> {
  const names = [...new Set(['id', ...columns])];
  const rows = { ...own, where: everything };
  const further = { shape: ['find', names, nested?.shape], values: { ids, ...nested?.values } };
  const statement = rowsStatement(ctx, rows, further, (slots) => {
    const strands = strandsOf(rows, slots);
    const visible = conditionOf(rows, slots);
    const seen = strands ? sql`(${visible} or exists (select from ${strands.table} s where ${strands.link}))` : visible;
    const found = select(
      columnsSql('t', names),
      tableSql(own.list, slots.scope),
      sql`where t.id = any(${slots.slot('ids')}::uuid[]) and ${seen}`,
    );
    return nested ? select(sql.raw('page.*, _nested'), sql`(${found}) page ${nested.join(slots)}`) : found;
  });
  const found = await ctx.db.rows(statement, { prepared: nested?.prepared ?? true });
  for (const row of found) nested?.take(row);
  return found.map((each) => shapeRow<Row>(own.list.resource, each));
}

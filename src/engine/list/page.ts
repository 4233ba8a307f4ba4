import type { RawBuilder } from 'kysely';
import { isoTimestamp } from '#input-values';
import { neighbour, type Position } from '../position.ts';
import type { Condition, ListSlots } from './condition.ts';
import type { ChildDefinition, ListDefinition, ListResource, ListScope } from './resource.ts';

/** The part of a list that a page shows, in Relay's terms; see {@link tokenWindow} for REST. */
export interface Window {
  /** 1 ascending, -1 descending. */
  direction: 1 | -1;
  /** The page is the first or the last `size` items between the bounds. */
  anchor: 'start' | 'end';
  size: number;
  after: Position | null;
  before: Position | null;
}

/** The rows of a list that match a filter. */
export interface ListRows {
  list: ListDefinition | ChildDefinition;
  /** As in `CursorBinding`. */
  owner: string;
  where: Condition;
  /** Whose lists, by their ids; only of a {@link ChildDefinition}. */
  parents?: readonly string[];
}

/** No part contains client input as text. */
export interface ListStatement extends ListRows {
  /** The id is always read as well. */
  columns: readonly string[];
  /** Whether the response contains cursors, which need the order's timestamp. */
  cursors: boolean;
  /** Whether the response says if there are items beyond the page. */
  flags: boolean;
  order: string;
  window: Window;
  /** Additional columns, or in place of those of the row, from tables joined to the rows of the page (alias `page`). */
  joined?: Joined | undefined;
  nested?: NestedPage | null | undefined;
}

export interface Joined {
  columns: readonly JoinedColumn[];
  join(at: ListScope): RawBuilder<unknown>;
  /** Columns of the row that these read, and the response does not. */
  needs?: readonly string[];
}

interface JoinedColumn {
  sql(at: ListScope): RawBuilder<unknown>;
  /** Names the expression, too. */
  name: string;
}

/** A page that is read together with each row of another statement. */
export interface NestedPage {
  /** Identical for identical pages; part of the key of the rows' loader. */
  key: string;
  shape: string;
  values: object;
  /** A lateral join to the row (alias `page`) that adds the column `_nested`. */
  join(slots: ListSlots): RawBuilder<unknown>;
  /** As `isPlanKept` of the statement. */
  prepared: boolean;
  /** Called with every row that was read. */
  take(row: object): void;
}

/** What the text of a page depends on in addition to its rows. */
export function pageShape({ columns, cursors, flags, order, window, joined, nested }: ListStatement): unknown[] {
  const { direction, anchor, size, after, before } = window;
  return [
    ...['page', columns, cursors, flags, order, direction, anchor, size, after !== null, before !== null],
    ...[joined?.columns.map(({ name }) => name), nested?.shape],
  ];
}

export function pageValues({ window: { after, before } }: ListStatement): object {
  const time = (position: Position | null) => position && new Date(position.time).toISOString();
  return { after: time(after), afterId: after?.id, before: time(before), beforeId: before?.id };
}

/** One page, in the order of its window. Both flags are exact. */
export interface Page<Row> {
  items: Row[];
  window: Window;
  hasNext: boolean;
  hasPrevious: boolean;
  position(row: Row): Position;
  seal(position: Position): string;
}

/** The rows as they were read: nearest first, one more than the page if there is one. */
export interface RawPage<Row> {
  rows: Row[];
  /** Whether an item lies at or before `after`. */
  behind: boolean;
  /** Whether an item lies at or after `before`. */
  ahead: boolean;
  /** Whether it was cut off because its rows are large. */
  endsEarly?: boolean;
}

/** Groups the rows of a list statement by parent (the empty string if there is none) and converts their values. */
export function readRawPages<Row>(
  statement: ListStatement,
  rows: Record<string, unknown>[],
): Map<string, RawPage<Row>> {
  const timestamps = timestampColumns(statement.list.resource, columnsOf(statement));
  const groups = new Map<string, RawPage<Row>>();
  if (!statement.parents) groups.set('', { rows: [], behind: false, ahead: false });
  for (const row of rows) {
    const parent = statement.parents ? String(row._parent) : '';
    const group = groups.get(parent) ?? { rows: [], behind: false, ahead: false };
    groups.set(parent, group);
    group.behind = row._behind === true;
    group.ahead = row._ahead === true;
    if (row.id === null) continue;
    group.rows.push(shapeRow<Row>(statement.list.resource, row, timestamps));
  }
  return groups;
}

/** Those of the row. */
export function columnsOf({ columns, cursors, order, joined }: ListStatement): string[] {
  const all = [...new Set([...columns, 'id', ...(cursors ? [order] : [])])];
  return joined ? all.filter((column) => joined.columns.every(({ name }) => name !== column)) : all;
}

/** Like {@link columnsOf}, plus the columns that the outer statement orders by or joins with. */
export function orderedColumns(statement: ListStatement): string[] {
  return [...new Set([...columnsOf(statement), statement.order, ...(statement.joined?.needs ?? [])])];
}

/** Converts timestamps to ISO 8601, in place. @param timestamps their columns, determined once for many rows */
export function shapeRow<Row>(
  resource: ListResource,
  row: Record<string, unknown>,
  timestamps = timestampColumns(resource, Object.keys(row)),
): Row {
  for (const name of timestamps) if (row[name] !== null) row[name] = isoTimestamp(row[name] as string);
  return row as Row;
}

export function timestampColumns(resource: ListResource, names: readonly string[]): string[] {
  return names.filter((name) => resource.fields[name]?.type === 'timestamp');
}

export function makePage<Row>(
  window: Window,
  raw: RawPage<Row>,
  position: (row: Row) => Position,
  seal: (position: Position) => string,
): Page<Row> {
  const isFull = raw.rows.length > window.size;
  const more = isFull || raw.endsEarly === true;
  const items = isFull ? raw.rows.slice(0, window.size) : raw.rows;
  const forward = window.anchor === 'start';
  if (!forward) items.reverse();
  return {
    items,
    window,
    hasNext: raw.ahead || (forward && more),
    hasPrevious: raw.behind || (!forward && more),
    position,
    seal,
  };
}

/** The cursors of a REST response: null if there is no page on that side (reference/lists.md#envelope). */
export function pageTokens<Row>(page: Page<Row>): { next: string | null; prev: string | null } {
  const { direction, after, before } = page.window;
  const first = page.items[0];
  const last = page.items.at(-1);
  // a page whose items were deleted gets cursors next to the requested bounds
  const end = last ? page.position(last) : before && neighbour(before, direction === 1 ? -1 : 1);
  const start = first ? page.position(first) : after && neighbour(after, direction === 1 ? 1 : -1);
  return {
    next: page.hasNext && end ? page.seal(end) : null,
    prev: page.hasPrevious && start ? page.seal({ ...start, before: direction }) : null,
  };
}

/** The same in REST's `next` and in a GraphQL edge. */
export function itemCursor<Row>(page: Page<Row>, row: Row): string {
  return page.seal(page.position(row));
}

/** See reference/lists.md#tokens. A cursor from `prev` always returns the previous page; `sort` only orders the items in it. */
export function tokenWindow(position: Position | null, sort: 1 | -1, size: number): Window {
  const window: Window = { direction: sort, anchor: 'start', size, after: null, before: null };
  if (!position) return window;
  return position.before === sort ? { ...window, anchor: 'end', before: position } : { ...window, after: position };
}

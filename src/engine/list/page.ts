import { neighbour, type Position } from '../position.ts';

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

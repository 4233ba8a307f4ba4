import { neighbour, type Position } from './cursor.ts';

/** What part of an order a page shows; the vocabulary of Relay, which REST's `token` and `sort` translate to. */
export interface Window {
  /** 1 ascending, -1 descending. */
  direction: 1 | -1;
  /** Whether the page is the first or the last `size` items between the bounds. */
  from: 'start' | 'end';
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

/** What the database found: one row more than the page has, where there is one and it matters, nearest first, and what lies beyond the bounds. */
export interface Found<Row> {
  rows: Row[];
  /** Whether an item lies at or before `after`. */
  behind: boolean;
  /** Whether an item lies at or after `before`. */
  ahead: boolean;
}

export function makePage<Row>(
  window: Window,
  found: Found<Row>,
  position: (row: Row) => Position,
  seal: (position: Position) => string,
): Page<Row> {
  const more = found.rows.length > window.size;
  const items = more ? found.rows.slice(0, window.size) : found.rows;
  const forward = window.from === 'start';
  if (!forward) items.reverse();
  return {
    items,
    window,
    hasNext: found.ahead || (forward && more),
    hasPrevious: found.behind || (!forward && more),
    position,
    seal,
  };
}

/** The cursors of a REST answer: null where no page lies on that side (decisions §2). */
export function pageTokens<Row>(page: Page<Row>): { next: string | null; prev: string | null } {
  const { direction, after, before } = page.window;
  const first = page.items[0];
  const last = page.items.at(-1);
  // A page that turned out empty (its items are gone) still leads back: from just beside the bound it was asked for.
  const end = last ? page.position(last) : before && neighbour(before, direction === 1 ? -1 : 1);
  const start = first ? page.position(first) : after && neighbour(after, direction === 1 ? 1 : -1);
  return {
    next: page.hasNext && end ? page.seal(end) : null,
    prev: page.hasPrevious && start ? page.seal({ ...start, before: direction }) : null,
  };
}

/** The cursor of one item; the same string in REST `next` and in a GraphQL edge. */
export function itemCursor<Row>(page: Page<Row>, row: Row): string {
  return page.seal(page.position(row));
}

/**
 * Translates REST's `token` and `sort` (decisions §2): a position has two sides and `sort` says which; a cursor taken
 * from `prev` always leads to the page before its page, and `sort` says only in which order that page is listed.
 */
export function tokenWindow(position: Position | null, sort: 1 | -1, size: number): Window {
  const window: Window = { direction: sort, from: 'start', size, after: null, before: null };
  if (!position) return window;
  return position.before === sort ? { ...window, from: 'end', before: position } : { ...window, after: position };
}

import type { ObjectRef } from '@pothos/core';
import { faults, type Issue } from '../domain/errors.ts';
import { type Count, parseCap } from '../domain/list/count.ts';
import type { JsonShape } from '../domain/list/json-shape.ts';
import type { Paging } from '../domain/list/list.ts';
import { itemCursor, type Page } from '../domain/list/page.ts';
import { builder, type Types } from './builder.ts';
import { CountType, capArgument } from './count.ts';
import { rowJson } from './row-json.ts';
import type { Selection } from './selection.ts';

/** A page has this many items at the most, and where nothing is said. */
export const maxPage = 50;

/** The arguments of every connection; null is absent (Relay sends `last: null`). */
export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** The paging arguments as a field declares them. */
export const pageArguments = builder.args((t) => ({
  first: t.int({
    description: 'The first so many items. Above 50 is 50; 50 where there is neither `first` nor `last`.',
  }),
  after: t.string({ description: 'Only items after this cursor. The empty string is absent.' }),
  last: t.int({ description: 'The last so many items. Above 50 is 50. Not together with `first`.' }),
  before: t.string({ description: 'Only items before this cursor. The empty string is absent.' }),
}));

/**
 * What the arguments ask for.
 *
 * @throws DomainError INVALID_QUERY for a negative number, and for both numbers at once
 */
export function relayPaging(args: PageArguments, direction: 1 | -1): Extract<Paging, { face: 'relay' }> {
  const first = args.first ?? null;
  const last = args.last ?? null;
  const issues: Issue[] = [];
  const refuse = (pointer: string, detail: string) => issues.push({ pointer, code: 'INVALID_QUERY', detail });
  if (first !== null && last !== null) refuse('/last', 'Only one of `first` and `last` can be given.');
  if (first !== null && first < 0) refuse('/first', 'A page has no negative number of items.');
  if (last !== null && last < 0) refuse('/last', 'A page has no negative number of items.');
  if (issues.length > 0) throw faults('INVALID_QUERY', issues);
  const from = last === null ? 'start' : 'end';
  return {
    face: 'relay',
    from,
    direction,
    size: pageSize(args),
    after: args.after || null,
    before: args.before || null,
  };
}

/** How many items a page may have; the arguments need not be valid. */
export function pageSize(args: PageArguments): number {
  return Math.max(0, Math.min(args.first ?? args.last ?? maxPage, maxPage));
}

/** Whether the page itself must be read: cursors are looked at even where only a count is selected. */
export function needsPage(selection: Selection, args: PageArguments): boolean {
  const selected = selection.has('edges') || selection.has('nodes') || selection.has('pageInfo');
  return selected || Boolean(args.after) || Boolean(args.before);
}

/** What the items of a connection must be read with. */
export function itemReads(selection: Selection): { columns: string[]; cursors: boolean; flags: boolean } {
  return { columns: itemColumns(selection), cursors: showsCursors(selection), flags: showsFlags(selection) };
}

/** Whether a cursor is selected, of an item or of the page. */
function showsCursors(selection: Selection): boolean {
  const info = selection.below('pageInfo');
  return Boolean(selection.below('edges')?.has('cursor') || info?.has('startCursor') || info?.has('endCursor'));
}

/** Whether it is selected if there is more than the page. */
function showsFlags(selection: Selection): boolean {
  const info = selection.below('pageInfo');
  return Boolean(info?.has('hasNextPage') || info?.has('hasPreviousPage'));
}

/** What is selected of the items of a connection, through `nodes` and through `edges`. */
export function itemSelections(selection: Selection): Selection[] {
  return [selection.below('nodes'), selection.below('edges')?.below('node')].filter(
    (each) => each !== null && each !== undefined,
  );
}

/** The items as JSON that the database makes, where it can, and `nodes` and `edges` show the same of them. */
export function itemJson(selection: Selection): JsonShape | null {
  const items = separateItems(selection);
  const [shape = null, ...others] = items ? items.map(rowJson) : [];
  return others.every((each) => each?.sql.page === shape?.sql.page) ? shape : null;
}

/**
 * What is selected of the items at each place where they are shown; null where `nodes`, `edges` or `node` is there under
 * several keys.
 */
export function separateItems(selection: Selection): Selection[] | null {
  const edges = selection.only('edges');
  const places = [
    { shown: selection.has('nodes'), items: selection.only('nodes') },
    { shown: selection.has('edges'), items: edges },
    { shown: Boolean(edges?.has('node')), items: edges?.only('node') },
  ].filter(({ shown }) => shown);
  if (places.some(({ items }) => !items)) return null;
  return places.flatMap(({ items }) => (items && items !== edges ? [items] : []));
}

/** The columns that the items of a connection are made from. */
function itemColumns(selection: Selection): string[] {
  return [...new Set(itemSelections(selection).flatMap((each) => each.columns()))].sort();
}

class Edge<Row> {
  readonly node: Row;
  private readonly page: Page<Row>;

  constructor(page: Page<Row>, node: Row) {
    this.page = page;
    this.node = node;
  }

  get cursor(): string {
    return itemCursor(this.page, this.node);
  }
}

class PageInfo<Row> {
  private readonly page: Page<Row> | null;

  constructor(page: Page<Row> | null) {
    this.page = page;
  }

  get hasNextPage(): boolean {
    return this.page?.hasNext ?? false;
  }

  get hasPreviousPage(): boolean {
    return this.page?.hasPrevious ?? false;
  }

  get startCursor(): string | null {
    return this.cursor(this.page?.items[0]);
  }

  get endCursor(): string | null {
    return this.cursor(this.page?.items.at(-1));
  }

  private cursor(row: Row | undefined): string | null {
    return this.page && row ? itemCursor(this.page, row) : null;
  }
}

/**
 * A page as Relay's connection. Everything is worked out only when it is selected: a cursor costs an HMAC, and the
 * total a statement. The flags are those of the page, which are exact (decisions §7).
 */
export class Connection<Row> {
  private readonly page: Page<Row> | null;
  /** Up to the cap, where one is given. */
  readonly count: (max?: number) => Promise<Count>;

  /** @param page null where it was not selected, or where its parent is gone by now */
  constructor(page: Page<Row> | null, count: (max?: number) => Promise<Count>) {
    this.page = page;
    this.count = count;
  }

  get nodes(): Row[] {
    return this.page?.items ?? [];
  }

  get edges(): Edge<Row>[] {
    const { page } = this;
    return page ? page.items.map((row) => new Edge(page, row)) : [];
  }

  get pageInfo(): PageInfo<Row> {
    return new PageInfo(this.page);
  }
}

/** Defines the connection and edge types of a noun. */
export function connectionType<Row>(type: ObjectRef<Types, Row>, items: string): ObjectRef<Types, Connection<Row>> {
  const name = type.name;
  const ref = builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      description: `A page of ${items}.`,
      fields: (t) => ({
        nodes: t.field({
          type: [type],
          description: 'The items.',
          resolve: (parent) => (parent as unknown as Connection<Row>).nodes as never,
        }),
        totalCount: t.int({
          description: 'How many items the whole list has; what REST answers at `/count`.',
          resolve: async (parent) => (await (parent as unknown as Connection<Row>).count()).value,
        }),
        count: t.field({
          type: CountType,
          description: 'How many items the whole list has, up to `max` where it is given; REST `/count?max=`.',
          args: capArgument,
          resolve: (parent, args) => (parent as unknown as Connection<Row>).count(parseCap(args.max)),
        }),
      }),
    },
    { name: `${name}Edge`, description: `An item of a page of ${items}, with its cursor.` },
  );
  return ref as unknown as ObjectRef<Types, Connection<Row>>;
}

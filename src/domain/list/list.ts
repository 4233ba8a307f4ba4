import type { Context } from '../context.ts';
import { type Prepared, rows } from '../database.ts';
import { fault } from '../errors.ts';
import { type Condition, canonicalText } from './condition.ts';
import { type Count, capCount, countLimit } from './count.ts';
import { bindCursor, type Position } from './cursor.ts';
import { countSql, type ListStatement, listSql, type NestedPage, readFound } from './list.sql.ts';
import { makePage, type Page, tokenWindow, type Window } from './page.ts';
import type { ListResource } from './resource.ts';

/** Where a page starts and how long it is, in the words of either face; cursors are still sealed. */
export type Paging =
  | { face: 'rest'; token: string | null; sort: 1 | -1; size: number }
  | {
      face: 'relay';
      from: 'start' | 'end';
      direction: 1 | -1;
      size: number;
      after: string | null;
      before: string | null;
    };

/** What both faces may ask of a list. `columns` are names of the resource's fields. */
export interface ListInput {
  where: Condition;
  order?: string;
  paging: Paging;
  columns: readonly string[];
  /** Whether the answer shows cursors; it does unless told so. */
  cursors?: boolean;
  /** Whether it shows if there is more than the page; it does unless told so. */
  flags?: boolean;
  nested?: NestedPage | null;
}

/** What a cursor is valid for (decisions §2). */
export interface CursorBinding {
  /** The id of the organization whose list it is, or of the user where the list is a user's own in none. */
  owner: string;
  resource: ListResource;
  /** The id of the row that the list belongs to; without one the list is the owner's. */
  parent?: string;
  order: string;
  where: Condition;
}

/** Opens and seals the cursors of one list of a request. */
export class CursorScope {
  private readonly ctx: Context;
  private readonly list: CursorBinding;
  private digest: Buffer | undefined;

  constructor(ctx: Context, list: CursorBinding) {
    this.ctx = ctx;
    this.list = list;
  }

  seal = (position: Position): string => this.ctx.services.cursors.seal(position, this.binding());

  /** @throws DomainError INVALID_CURSOR */
  window(paging: Paging): Window {
    if (paging.face === 'rest') return tokenWindow(this.open(paging.token, '/token'), paging.sort, paging.size);
    const { from, direction, size } = paging;
    return {
      from,
      direction,
      size,
      after: this.open(paging.after, '/after'),
      before: this.open(paging.before, '/before'),
    };
  }

  /** Worked out only for lists that show a cursor or are given one. */
  private binding(): Buffer {
    const { owner, resource, parent = '', order, where } = this.list;
    this.digest ??= bindCursor(owner, resource.name, parent, order, canonicalText(where));
    return this.digest;
  }

  private open(token: string | null, pointer: string): Position | null {
    if (token === null) return null;
    const position = this.ctx.services.cursors.open(token, this.binding());
    if (position) return position;
    throw fault('INVALID_CURSOR', pointer, 'The cursor is not one of this list with this filter and order.');
  }
}

/**
 * Whether a statement is kept prepared: not with a filter of a client in it, and one made for what a client selected
 * only while there are few, for clients think of many.
 */
export function preparing(unfiltered: boolean, selected: boolean): Prepared {
  return unfiltered && (selected ? 'while there are few' : true);
}

/** Runs a list statement; the pages by parent (the empty string where there is none). */
export async function readPages<Row>(
  ctx: Context,
  statement: ListStatement,
  scope: (parent: string) => CursorScope,
): Promise<Map<string, Page<Row>>> {
  const { from = 'read' } = statement;
  const prepared = preparing(statement.prepared === true, Boolean(statement.json || statement.nested));
  const found = readFound<Row>(statement, await rows(ctx.reader, listSql(statement), { from, prepared }));
  const position = (row: Row): Position => {
    const keys = row as Record<string, string>;
    return { time: Date.parse(keys[statement.order] as string), id: keys.id as string };
  };
  const pages = new Map<string, Page<Row>>();
  for (const [parent, group] of found) {
    pages.set(parent, makePage(statement.window, group, position, scope(parent).seal));
  }
  return pages;
}

/** Runs a count statement; the counts, up to `max` where it is given, by parent (the empty string where there is none). */
export async function readCounts(
  ctx: Context,
  statement: Pick<ListStatement, 'resource' | 'source' | 'condition' | 'parents' | 'from'>,
  max: number | undefined,
): Promise<Map<string, Count>> {
  const { from = 'read' } = statement;
  const text = countSql(statement, countLimit(max));
  const counted = await rows<{ _parent?: string; count: number }>(ctx.reader, text, { from });
  return new Map(counted.map((row) => [row._parent ?? '', capCount(row.count, max)]));
}

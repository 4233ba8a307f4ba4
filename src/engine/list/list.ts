import type { Sql } from 'sql-template-tag';
import { collectIssues, DomainError, fault, faults, type Issue } from '../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { bindCursor, type Position } from '../cursor.ts';
import { type Condition, canonicalText } from './condition.ts';
import { type Count, capCount, countLimit } from './count.ts';
import {
  countSql,
  type ListStatement,
  listSql,
  type NestedPage,
  nestedReader,
  nestedSql,
  readRawPages,
} from './list.sql.ts';
import { makePage, type Page, tokenWindow, type Window } from './page.ts';
import type { ListResource } from './resource.ts';

/** Where a page starts and how long it is, in the terms of either face; cursors are still sealed. */
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

/** The input of a list, for both faces. `columns` are names of the resource's fields. */
export interface ListInput {
  where: Condition;
  order?: string;
  paging: Paging;
  columns: readonly string[];
  /** Whether the response contains cursors; true by default. */
  cursors?: boolean;
  /** Whether it says if there are items beyond the page; true by default. */
  flags?: boolean;
  nested?: NestedPage | null;
}

/** What a cursor is valid for (decisions §2). */
export interface CursorBinding {
  /** The id of the organization that the list belongs to, or of the user if it is a user's own. */
  owner: string;
  resource: ListResource;
  /** The id of the row that the list belongs to; without one the list is the owner's. */
  parent?: string | undefined;
  order: string;
  where: Condition;
}

/** Opens and seals the cursors of one list of a request. */
export class CursorScope {
  private readonly ctx: Context;
  private readonly list: CursorBinding;
  private digest: string | undefined;

  constructor(ctx: Context, list: CursorBinding) {
    this.ctx = ctx;
    this.list = list;
  }

  seal = (position: Position): string => this.ctx.services.cursors.seal(position, this.binding());

  /** @throws DomainError INVALID_CURSOR */
  window(paging: Paging): Window {
    if (paging.face === 'rest') return tokenWindow(this.open(paging.token, '/token'), paging.sort, paging.size);
    const { from, direction, size } = paging;
    const issues: Issue[] = [];
    const after = collectIssues(issues, null, () => this.open(paging.after, '/after'));
    const before = collectIssues(issues, null, () => this.open(paging.before, '/before'));
    if (issues.length > 0) throw faults('INVALID_CURSOR', issues);
    return { from, direction, size, after, before };
  }

  /** Computed only if the list shows a cursor or gets one. */
  private binding(): string {
    const { owner, resource, parent = '', order, where } = this.list;
    this.digest ??= bindCursor(owner, resource.name, parent, order, canonicalText(where));
    return this.digest;
  }

  private open(token: string | null, pointer: string): Position | null {
    if (token === null) return null;
    const position = this.ctx.services.cursors.open(token, this.binding());
    if (position) return position;
    throw fault('INVALID_CURSOR', pointer, 'The cursor does not belong to this list with this filter and order.');
  }
}

/**
 * Runs a list statement; the pages by parent (the empty string if there is none). A single page ends early if its rows are
 * large; several are refused if they are too large together.
 *
 * @param parents how many pages there are
 */
export async function readPages<Row>(
  ctx: Context,
  statement: ListStatement,
  scope: (parent: string) => CursorScope,
  parents = 1,
): Promise<Map<string, Page<Row>>> {
  const { from = 'read', prepared = false } = statement;
  let early = false;
  const endEarly = () => {
    early = true;
  };
  // of several pages nobody could tell which one had ended
  const endsEarly = parents === 1 ? endEarly : undefined;
  const options = { from, prepared, work: prepared ? 'quick' : 'heavy', endsEarly } as const;
  const groups = readRawPages<Row>(statement, await ctx.db.rows(listSql(statement), options));
  const pages = new Map<string, Page<Row>>();
  for (const [parent, group] of groups) {
    group.endsEarly = early;
    for (const row of group.rows) statement.nested?.take(row as object);
    pages.set(parent, makePage(statement.window, group, positionIn(statement), scope(parent).seal));
  }
  return pages;
}

/**
 * A page for each of several parents, in one statement. A cursor of another list gives that parent an error in place of
 * its page; a parent that the statement does not find has no entry.
 */
export async function readPagesOf<Row>(
  ctx: Context,
  parents: readonly string[],
  paging: Paging,
  scopeOf: (parent: string) => CursorScope,
  statementOf: (parents: readonly string[], window: Window) => ListStatement,
): Promise<Map<string, Page<Row> | DomainError>> {
  const answers = new Map<string, Page<Row> | DomainError>();
  const scopes = new Map<string, CursorScope>();
  let window: Window | undefined;
  for (const id of parents) {
    const scope = scopeOf(id);
    try {
      // without cursors the window is the same for every row; a cursor can belong to only one row
      window = scope.window(paging);
      scopes.set(id, scope);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      answers.set(id, error);
    }
  }
  if (!window) return answers;
  const statement = statementOf([...scopes.keys()], window);
  const pages = await readPages<Row>(ctx, statement, (parent) => scopes.get(parent) as CursorScope, scopes.size);
  for (const [parent, page] of pages) answers.set(parent, page);
  return answers;
}

/**
 * A page that is read with each row of another statement.
 *
 * @param statement without cursors
 * @param link the list's rows (alias `t`) to the row that has the page (alias `page`)
 * @param take is given the page of each row by its id
 */
export function nestPages<Row>(
  statement: ListStatement,
  link: Sql,
  scope: (parent: string) => CursorScope,
  take: (parent: string, page: Page<Row>) => void,
): NestedPage {
  const read = nestedReader<Row>(statement);
  const position = positionIn<Row>(statement);
  return {
    join: nestedSql(statement, link),
    prepared: statement.prepared === true,
    take: (row) => {
      const { id, _nested } = row as { id: string; _nested?: unknown };
      take(id, makePage(statement.window, read(_nested), position, scope(id).seal));
    },
  };
}

function positionIn<Row>({ order }: ListStatement): (row: Row) => Position {
  return (row) => {
    const keys = row as Record<string, string>;
    return { time: Date.parse(keys[order] as string), id: keys.id as string };
  };
}

/** Runs a count statement; the counts, up to `max` if given, by parent (the empty string if there is none). */
export async function readCounts(
  ctx: Context,
  statement: Pick<ListStatement, 'resource' | 'source' | 'condition' | 'strands' | 'parents' | 'from'>,
  max: number | undefined,
): Promise<Map<string, Count>> {
  const { from = 'read' } = statement;
  const text = countSql(statement, countLimit(max));
  const counted = await ctx.db.rows<{ _parent?: string; count: number }>(text, { from, work: 'heavy' });
  return new Map(counted.map((row) => [row._parent ?? '', capCount(row.count, max)]));
}

import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { DomainError } from '../../kernel/errors.ts';
import type { Context } from '../context.ts';
import {
  columnsOf,
  type ListStatement,
  type NestedPage,
  names,
  orderBy,
  orderedColumns,
  pageSql,
  shapeRow,
  timestampColumns,
  walk,
} from './list.sql.ts';
import { type CursorScope, type Paging, positionIn, readPages } from './list.ts';
import { makePage, type Page, type RawPage, type Window } from './page.ts';

/**
 * A page for each of several parents, in one statement. A parent whose list the cursor does not belong to gets an error
 * instead of a page; a parent that the statement does not find has no entry.
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
      // without cursors the window is the same for every parent; a cursor can belong to only one
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
 * @param key identical for identical pages
 * @param statement without cursors
 * @param link joins the list's rows (alias `t`) to the row that has the page (alias `page`)
 * @param take called with the id of each row and its page
 */
export function nestPages<Row>(
  key: string,
  statement: ListStatement,
  link: Sql,
  scope: (parent: string) => CursorScope,
  take: (parent: string, page: Page<Row>) => void,
): NestedPage {
  const read = nestedReader<Row>(statement);
  const position = positionIn<Row>(statement);
  return {
    key,
    join: nestedSql(statement, link),
    prepared: statement.prepared === true,
    take: (row) => {
      const { id, _nested } = row as { id: string; _nested?: unknown };
      take(id, makePage(statement.window, read(_nested), position, scope(id).seal));
    },
  };
}

/**
 * A lateral join that adds a page of a nested list to each row of the outer statement (alias `page`): `_nested` is a JSON
 * array with one array per row of the page, or null if the page is empty. {@link nestedReader} reads it.
 *
 * @param statement without cursors: they would belong to one parent's list
 * @param link joins the list's rows (alias `t`) to the outer row (alias `page`)
 */
function nestedSql(statement: ListStatement, link: Sql): Sql {
  const { joined, order, window, condition } = statement;
  const shown = [names('page', columnsOf(statement)), ...(joined?.columns ?? []).map((column) => column.sql)];
  return sql`
    left join lateral (select json_agg(json_build_array(${raw(shown.join(', '))}) ${orderBy('page', order, walk(window))}) as _nested
      from (${pageSql(statement, sql`${link} and ${condition}`, orderedColumns(statement))}) page
      ${joined?.join ?? empty}) nested on true`;
}

/** Reads the column `_nested` of {@link nestedSql}. */
function nestedReader<Row>(statement: ListStatement): (value: unknown) => RawPage<Row> {
  const columns = columnsOf(statement);
  const timestamps = timestampColumns(statement.resource, columns);
  const keys = [...columns, ...(statement.joined?.columns ?? []).map(({ name }) => name)];
  return (value) => {
    const rows = ((value ?? []) as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < keys.length; index += 1) row[keys[index] as string] = values[index];
      return shapeRow<Row>(statement.resource, row, timestamps);
    });
    return { rows, behind: false, ahead: false };
  };
}

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Position } from '../cursor.ts';
import type { RawPage, Window } from './page.ts';
import type { ListResource } from './resource.ts';
import { shapeRow, timestampColumns } from './row.ts';
import { matchSql, names, orderBy, type Strands, walkSql } from './walk.sql.ts';

/** What a list statement reads. No part contains client input as text; `t` is the alias of the resource's table. */
export interface ListStatement {
  resource: ListResource;
  /** The columns that the response needs; the id is always read. */
  columns: readonly string[];
  /** Whether the response contains cursors, which need the order's timestamp. */
  cursors: boolean;
  /** Whether the response says if there are items beyond the page. */
  flags: boolean;
  /** Whether `condition` contains no client filter, so that the plan may be kept. */
  prepared?: boolean;
  order: string;
  /** A select that replaces the resource's table, if a column has to be computed. */
  source?: Sql | undefined;
  /** `write` forces the primary; otherwise a replica may answer. */
  from?: 'write' | undefined;
  /** Visibility and the filter. */
  condition: Sql;
  /** Further rows, with their own visibility and the filter in the link; not beside `parents`. */
  strands?: Strands | undefined;
  window: Window;
  /** A page for each of several parents: `p` is the parent's table, `parent_id` its id, and `condition` may name it. */
  parents?: { table: string; condition: Sql; link: Sql };
  /** Further columns from tables joined to the page's rows (alias `page`). */
  joined?: { columns: readonly JoinedColumn[]; join: Sql } | undefined;
  nested?: NestedPage | null | undefined;
}

/** An expression over joined tables, and its name in a row. */
interface JoinedColumn {
  sql: string;
  name: string;
}

/** A page that is read with each row of a list or by ids. */
export interface NestedPage {
  /** A lateral join to the row (alias `page`) from {@link nestedSql}, which gives `_nested`. */
  join: Sql;
  /** As in {@link ListStatement}. */
  prepared: boolean;
  /** Is given every row that was read. */
  take(row: object): void;
}

const opposite = { '>': '<=', '<': '>=' } as const;

/**
 * One statement for the page and for whether there are items beyond its bounds. A page for each parent is a lateral join,
 * so that it reads at most one row more than its size per parent.
 *
 * Columns: those asked for, `_parent` (the parent's id), `_behind` and `_ahead`. A parent without rows gives one row
 * whose `id` is null; a parent that the viewer may not see gives none.
 */
export function listSql(statement: ListStatement): Sql {
  const { window, parents, joined, condition, nested } = statement;
  const linked = parents ? sql`${parents.link} and ${condition}` : condition;
  const flags = statement.flags ? flagsSql(statement, linked) : [];
  if (!parents && flags.length === 0 && !joined && !nested) return pageSql(statement, linked, columnsOf(statement));

  const shown = [
    raw(names('page', columnsOf(statement))),
    ...(parents ? [raw('p.id as _parent')] : []),
    ...(flags.length > 0 ? [raw('flags.*')] : []),
    ...(joined?.columns ?? []).map((column) => raw(`${column.sql} as ${column.name}`)),
    ...(nested ? [raw('_nested')] : []),
  ];
  return sql`select ${join(shown, ', ')}
    from ${parents ? raw(`"${parents.table}" p`) : raw('(select 1) p')}
    ${flags.length > 0 ? sql`left join lateral (select ${join(flags)}) flags on true` : empty}
    left join lateral (${pageSql(statement, linked, orderedColumns(statement))}) page on true
    ${joined?.join ?? empty}${nested?.join ?? empty}
    ${parents ? sql`where ${parents.condition}` : empty} ${orderBy('page', statement.order, walk(window))}`;
}

/**
 * A lateral join that gives a row of the statement around it (alias `page`) the page of a list of its own: `_nested`, a
 * JSON array for each row of the page, or null if it is empty. {@link nestedReader} reads it.
 *
 * @param statement without cursors: they would be those of one parent's list
 * @param link the list's rows (alias `t`) to the row around (alias `page`)
 */
export function nestedSql(statement: ListStatement, link: Sql): Sql {
  const { joined, order, window, condition } = statement;
  const shown = [names('page', columnsOf(statement)), ...(joined?.columns ?? []).map((column) => column.sql)];
  return sql`
    left join lateral (select json_agg(json_build_array(${raw(shown.join(', '))}) ${orderBy('page', order, walk(window))}) as _nested
      from (${pageSql(statement, sql`${link} and ${condition}`, orderedColumns(statement))}) page
      ${joined?.join ?? empty}) nested on true`;
}

/** Reads what {@link nestedSql} gives. */
export function nestedReader<Row>(statement: ListStatement): (value: unknown) => RawPage<Row> {
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

/** The rows of a page between its bounds, and one more if the flags are asked for. */
function pageSql(statement: ListStatement, linked: Sql, columns: readonly string[]): Sql {
  const { window, order, flags } = statement;
  const [later, sooner] = comparisons(window);
  const after = window.after ? sql` and ${beyond(statement, later, window.after)}` : empty;
  const before = window.before ? sql` and ${beyond(statement, sooner, window.before)}` : empty;
  const rows = {
    table: tableSql(statement),
    condition: linked,
    strands: statement.strands,
    bounds: sql`${after}${before}`,
  };
  const limit = flags ? window.size + 1 : window.size;
  return walkSql({ ...rows, order, direction: walk(window), limit }, columns);
}

/** Whether a row lies beyond each bound: ordered towards it, so that the plan starts at the bound and stops at the first row. */
function flagsSql(statement: ListStatement, linked: Sql): Sql[] {
  const { window, order } = statement;
  const [later, sooner] = comparisons(window);
  const rows = { table: tableSql(statement), condition: linked, strands: statement.strands };
  const probe = (comparison: '>' | '<', position: Position, direction: number) => {
    const bounds = sql` and ${beyond(statement, opposite[comparison], position)}`;
    return sql`(${matchSql({ ...rows, bounds, order, direction, limit: 1 }, raw('true'))})`;
  };
  return [
    ...(window.after ? [sql`${probe(later, window.after, -window.direction)} as _behind`] : []),
    ...(window.before ? [sql`${probe(sooner, window.before, window.direction)} as _ahead`] : []),
  ];
}

const comparisons = ({ direction }: Window) => (direction === 1 ? (['>', '<'] as const) : (['<', '>'] as const));

/** The direction in which a page is read: from its end, backwards. */
const walk = ({ from, direction }: Window) => (from === 'start' ? direction : -direction);

function beyond({ order }: ListStatement, comparison: string, { time, id }: Position): Sql {
  return sql`${raw(`(t.${order}, t.id) ${comparison}`)} (${new Date(time).toISOString()}::timestamptz, ${id}::uuid)`;
}

/** Groups the rows of a list statement by parent (the empty string if there is none) and converts their values. */
export function readRawPages<Row>(
  statement: ListStatement,
  rows: Record<string, unknown>[],
): Map<string, RawPage<Row>> {
  const timestamps = timestampColumns(statement.resource, columnsOf(statement));
  const groups = new Map<string, RawPage<Row>>();
  if (!statement.parents) groups.set('', { rows: [], behind: false, ahead: false });
  for (const row of rows) {
    const parent = statement.parents ? String(row._parent) : '';
    const group = groups.get(parent) ?? { rows: [], behind: false, ahead: false };
    groups.set(parent, group);
    group.behind = row._behind === true;
    group.ahead = row._ahead === true;
    if (row.id === null) continue;
    group.rows.push(shapeRow<Row>(statement.resource, row, timestamps));
  }
  return groups;
}

/**
 * The number of rows that match; per parent if there are parents (`_parent`, `count`).
 *
 * @param limit how far to count (docs/decisions/0016)
 */
export function countSql(
  statement: Pick<ListStatement, 'resource' | 'source' | 'condition' | 'strands' | 'parents'>,
  limit?: number,
): Sql {
  const { parents, strands, resource } = statement;
  const condition = parents ? sql`${parents.link} and ${statement.condition}` : statement.condition;
  const rows = { table: tableSql(statement), condition, strands, bounds: empty };
  const counted =
    limit === undefined && !strands
      ? sql`${rows.table} where ${condition}`
      : sql`(${matchSql({ ...rows, order: resource.order, direction: 1, limit })}) capped`;
  if (!parents) return sql`select count(*)::int as count from ${counted}`;
  return sql`select p.id as _parent, (select count(*)::int from ${counted}) as count
    from ${raw(`"${parents.table}" p`)} where ${parents.condition}`;
}

/** The source of a resource's rows, as the alias `t`. */
export function tableSql({ source, resource }: Pick<ListStatement, 'resource' | 'source'>): Sql {
  return source ? sql`(${source}) t` : raw(`"${resource.table}" t`);
}

/** The row's own columns that are read. */
function columnsOf({ columns, cursors, order }: ListStatement): string[] {
  return [...new Set([...columns, 'id', ...(cursors ? [order] : [])])];
}

/** The same, and the columns that the outer statement orders by. */
function orderedColumns(statement: ListStatement): string[] {
  return [...new Set([...columnsOf(statement), statement.order])];
}

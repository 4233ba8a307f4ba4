import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { isoTimestamp } from '../../kernel/scalars.ts';
import type { Text } from '../database.ts';
import type { Position } from '../position.ts';
import type { RawPage, Window } from './page.ts';
import type { ListResource } from './resource.ts';

/** No part contains client input as text; `t` is the alias of the resource's table. */
export interface ListStatement {
  resource: ListResource;
  /** The id is always read as well. */
  columns: readonly string[];
  /** Whether the response contains cursors, which need the order's timestamp. */
  cursors: boolean;
  /** Whether the response says if there are items beyond the page. */
  flags: boolean;
  /** Whether `condition` contains no client filter, so that the plan may be kept. */
  prepared?: boolean;
  order: string;
  /** A select that replaces the resource's table, for computed columns. */
  source?: Sql | undefined;
  /** `write` forces the primary; otherwise a replica may answer. */
  from?: 'write' | undefined;
  /** Visibility and the filter. */
  condition: Sql;
  /** Additional rows, with their own visibility and the filter in `link`; not together with `parents`. */
  strands?: Strands | undefined;
  window: Window;
  /** For a page of each parent. The alias of the parents' table is `p`; `condition` may refer to it. */
  parents?: { table: string; condition: Sql; link: Sql };
  /** Additional columns, from tables joined to the rows of the page (alias `page`). */
  joined?: Joined | undefined;
  nested?: NestedPage | null | undefined;
}

interface Joined {
  columns: readonly JoinedColumn[];
  join: Sql;
  /** Columns of the row that these read, and the response does not. */
  needs?: readonly string[];
}

interface JoinedColumn {
  sql: Sql;
  name: string;
}

/** A page that is read together with each row of another statement. */
export interface NestedPage {
  /** Identical for identical pages; part of the key of the rows' loader. */
  key: string;
  /** A lateral join to the row (alias `page`) that adds the column `_nested`. */
  join: Sql;
  /** As in {@link ListStatement}. */
  prepared: boolean;
  /** Called with every row that was read. */
  take(row: object): void;
}

/** For statements whose plan depends on the values of a client's filter. */
export const filtered = { work: 'heavy' } as const;

const opposite = { '>': '<=', '<': '>=' } as const;

/**
 * One statement for the page and the flags of its bounds. Pages of several parents are a lateral join, so that each parent reads
 * at most one row more than the page size.
 *
 * Columns: the requested ones, `_parent` (the parent's id), `_behind` and `_ahead`. A parent without rows gives one row whose
 * `id` is null; a parent that the viewer may not see gives none.
 */
export function listSql(statement: ListStatement): Text<Record<string, unknown>> {
  const { window, parents, joined, condition, nested } = statement;
  const linked = parents ? sql`${parents.link} and ${condition}` : condition;
  const flags = statement.flags ? flagsSql(statement, linked) : [];
  if (!parents && flags.length === 0 && !joined && !nested) return pageSql(statement, linked, columnsOf(statement));

  const shown = [
    raw(names('page', columnsOf(statement))),
    ...(parents ? [raw('p.id as _parent')] : []),
    ...(flags.length > 0 ? [raw('flags.*')] : []),
    ...(joined?.columns ?? []).map((column) => sql`${column.sql} as ${raw(column.name)}`),
    ...(nested ? [raw('_nested')] : []),
  ];
  const from = sql`${parents ? raw(`"${parents.table}" p`) : raw('(select 1) p')}
    ${flags.length > 0 ? sql`left join lateral (select ${join(flags)}) flags on true` : empty}
    left join lateral (${pageSql(statement, linked, orderedColumns(statement))}) page on true
    ${joined?.join ?? empty}${nested?.join ?? empty}`;
  const order = orderBy('page', statement.order, walk(window));
  return select(join(shown, ', '), from, parents ? sql`where ${parents.condition} ${order}` : order);
}

export function select<Row = Record<string, unknown>>(what: Sql, from: Sql, further: Sql = empty): Text<Row> {
  return sql`select ${what} from ${from} ${further}`;
}

/** The rows of a page, and one more if the flags are requested. */
export function pageSql(statement: ListStatement, linked: Sql, columns: readonly string[]) {
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

/** Whether a row lies beyond each bound. Ordered away from it, so that the plan starts there and stops at the first row. */
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

/** The direction in which rows are read: backwards for a page from the end. */
export const walk = ({ anchor, direction }: Window) => (anchor === 'start' ? direction : -direction);

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

/** The source of a resource's rows, as the alias `t`. */
export function tableSql({ resource, source = resource.source }: Pick<ListStatement, 'resource' | 'source'>): Sql {
  return source ? sql`(${source}) t` : raw(`"${resource.table}" t`);
}

export function columnsOf({ columns, cursors, order }: ListStatement): string[] {
  return [...new Set([...columns, 'id', ...(cursors ? [order] : [])])];
}

/** Like {@link columnsOf}, plus the columns that the outer statement orders by or joins with. */
export function orderedColumns(statement: ListStatement): string[] {
  return [...new Set([...columnsOf(statement), statement.order, ...(statement.joined?.needs ?? [])])];
}

/** Rows that an index has in the list's order only within each group ("strand"), such as the entries of each of many people. */
export interface Strands {
  /** A table with one row per strand; its alias is `s`. */
  table: Sql;
  /** Whether a row of `t` belongs to the strand `s`, as a condition that an index serves. */
  link: Sql;
}

/** A read of a list in one direction. */
export interface Walk {
  /** The table of the rows, as the alias `t`. */
  table: Sql;
  /** The column of the order; the id breaks ties. */
  order: string;
  direction: number;
  /** Which rows to read, except those of strands. */
  condition: Sql;
  strands?: Strands | undefined;
  /** Where the walk starts and ends, as conditions that each start with `and`. */
  bounds: Sql;
  limit: number;
}

/** A select of the first rows of a walk. */
function walkSql(walk: Walk, columns: readonly string[]) {
  const { table, order, direction, condition, strands, bounds, limit } = walk;
  const first = (alias: string, count: number) => sql`${orderBy(alias, order, direction)} ${raw(`limit ${count}`)}`;
  const rows = (chosen: readonly string[], where: Sql, count: number) =>
    select(raw(names('t', chosen)), table, sql`where ${where}${bounds} ${first('t', count)}`);
  if (!strands) return rows(columns, condition, limit);

  const read = [...new Set([...columns, order, 'id'])];
  // the first `limit` rows are in the `limit` strands that start first
  const starts = sql`${strands.table} s cross join lateral (${rows([order, 'id'], strands.link, 1)}) start`;
  const sooner = select(raw('s.*'), starts, first('start', limit));
  const stranded = sql`(${sooner}) s cross join lateral (${rows(read, strands.link, limit)}) t`;
  const all = sql`((${rows(read, condition, limit)}) union all (${select(raw(names('t', read)), stranded)})) t`;
  return select(raw(names('t', columns)), all, first('t', limit));
}

/** A select of `shown` for each row of a walk. @param shown an expression that is not a column, or nothing */
export function matchSql(walk: Omit<Walk, 'limit'> & { limit: number | undefined }, shown: Sql = empty): Sql {
  const { table, condition, strands, bounds } = walk;
  const limit = walk.limit === undefined ? empty : raw(`limit ${walk.limit}`);
  // without an order, PostgreSQL chose an index that starts with rows that a member may not see (note 0060)
  const order = walk.limit === undefined ? empty : orderBy('t', walk.order, walk.direction);
  const rows = (what: Sql, where: Sql) => select(what, table, sql`where ${where}${bounds} ${order} ${limit}`);
  if (!strands) return rows(shown, condition);
  const stranded = select(empty, sql`${strands.table} s cross join lateral (${rows(empty, strands.link)}) t`);
  return select(shown, sql`((${rows(empty, condition)}) union all (${stranded})) t`, limit);
}

export function names(alias: string, columns: readonly string[]): string {
  return columns.map((name) => `${alias}.${name}`).join(', ');
}

export function orderBy(alias: string, column: string, direction: number): Sql {
  const word = direction === 1 ? 'asc' : 'desc';
  return raw(`order by ${alias}.${column} ${word}, ${alias}.id ${word}`);
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

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Position } from './cursor.ts';
import type { JsonShape } from './json-shape.ts';
import type { Found, Window } from './page.ts';
import type { ListResource } from './resource.ts';
import { shapeRow, timestampColumns } from './row.ts';

/** What a list statement reads. Every part is SQL of our own making; `t` is the resource's table in it. */
export interface ListStatement {
  resource: ListResource;
  /** The columns that the answer needs; the id is read besides. */
  columns: readonly string[];
  /** Whether the answer shows cursors, so that the order's timestamp is read besides. */
  cursors: boolean;
  /** Whether the answer shows if there is more than the page: what that takes is read besides. */
  flags: boolean;
  /** Whether no filter of a client is in `condition`, so that the plan may be kept. */
  prepared?: boolean;
  order: string;
  /** Rows in place of those of the resource's table, where a column has to be worked out; a select of its own. */
  source?: Sql | undefined;
  /** Whether the primary must answer; a replica may unless told so. */
  from?: 'write' | undefined;
  /** Visibility and the filter. */
  condition: Sql;
  window: Window;
  /** A page for each of several parents: `p` is the parent's table, `parent_id` its id, and `condition` may name it. */
  parents?: { table: string; condition: Sql; link: Sql };
  /** Further columns from tables joined to the page's rows (alias `page`). */
  joined?: { columns?: Sql; join: Sql } | undefined;
  /** The rows as this JSON in place of their columns; beside it there are cursors, and nothing else. */
  json?: JsonShape | null | undefined;
  nested?: NestedPage | null | undefined;
}

/** A page that is read along with each row of a list or by ids. */
export interface NestedPage {
  /** A lateral join to the row (alias `page`), which gives the row's `_nested`: see {@link nestedJson}. */
  join: Sql;
  /** As in {@link ListStatement}. */
  prepared: boolean;
}

const opposite = { '>': '<=', '<': '>=' } as const;

/**
 * One statement for the page and for whether anything lies beyond its bounds. A page for each parent is a lateral join,
 * so that it reads one row more than its size of each, where the flags are asked for, and no more.
 *
 * Columns: those asked for, `_parent` (the parent's id), `_behind` and `_ahead`. A parent without rows gives one row
 * whose `id` is null; a parent that the viewer may not see gives none.
 */
export function listSql(statement: ListStatement): Sql {
  const { window, parents, joined, condition, json, nested } = statement;
  const key = raw(`(t.${statement.order}, t.id)`);
  const linked = parents ? sql`${parents.link} and ${condition}` : condition;
  const [later, sooner] = window.direction === 1 ? (['>', '<'] as const) : (['<', '>'] as const);
  const after = window.after ? sql` and ${key} ${raw(later)} ${bound(window.after)}` : empty;
  const before = window.before ? sql` and ${key} ${raw(sooner)} ${bound(window.before)}` : empty;
  const table = tableSql(statement);
  const forwards = orderBy('t', statement.order, window.direction);
  const backwards = orderBy('t', statement.order, -window.direction);
  const columns = [...new Set([...statement.columns, ...pageColumns(statement)])];

  // Beyond a bound: ordered towards it, so that the plan starts at the bound and stops at the first row.
  const probe = (comparison: '>' | '<', position: Position, order: Sql): Sql =>
    sql`(select true from ${table} where ${linked} and ${key} ${raw(opposite[comparison])} ${bound(position)} ${order} limit 1)`;
  const flags = [
    ...(statement.flags && window.after ? [sql`${probe(later, window.after, backwards)} as _behind`] : []),
    ...(statement.flags && window.before ? [sql`${probe(sooner, window.before, forwards)} as _ahead`] : []),
  ];
  const lateral = parents || flags.length > 0 || joined || json || nested;
  const page = sql`select ${names('t', lateral ? [...columns, statement.order] : columns)} from ${table}
    where ${linked}${after}${before} ${window.from === 'start' ? forwards : backwards} ${raw(`limit ${statement.flags ? window.size + 1 : window.size}`)}`;
  if (!lateral) return page;

  const order = orderBy('page', statement.order, window.from === 'start' ? window.direction : -window.direction);
  const shown = json
    ? raw(`${names('page', pageColumns(statement)).text}, ${json.sql.page} as _json`)
    : names('page', columns);
  return sql`select ${shown}${parents ? raw(', p.id as _parent') : empty}${flags.length > 0 ? raw(', flags.*') : empty}${joined?.columns ? sql`, ${joined.columns}` : empty}${raw(nested ? ', _nested' : '')}
    from ${parents ? raw(`"${parents.table}" p`) : raw('(select 1) p')}
    ${flags.length > 0 ? sql`left join lateral (select ${join(flags)}) flags on true` : empty}
    left join lateral (${page}) page on true
    ${joined ? joined.join : empty}${nested?.join ?? empty}
    ${parents ? sql`where ${parents.condition}` : empty} ${order}`;
}

/** Groups the rows of a list statement by parent (the empty string where there is none) and shapes their values. */
export function readFound<Row>(statement: ListStatement, rows: Record<string, unknown>[]): Map<string, Found<Row>> {
  const timestamps = timestampColumns(statement.resource, pageColumns(statement));
  const groups = new Map<string, Found<Row>>();
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
 * The number of rows that match; for each parent where there are parents (`_parent`, `count`).
 *
 * @param limit how far to count. The walk is then that of a page in the list's order: without an order, what a member
 *   may not see was read first, being the start of an index (docs/decisions/0016)
 */
export function countSql(
  statement: Pick<ListStatement, 'resource' | 'source' | 'condition' | 'parents'>,
  limit?: number,
): Sql {
  const { parents, condition, resource } = statement;
  const matching = sql`${tableSql(statement)} where ${parents ? sql`${parents.link} and ${condition}` : condition}`;
  const counted =
    limit === undefined
      ? matching
      : sql`(select from ${matching} ${orderBy('t', resource.order, 1)} ${raw(`limit ${limit}`)}) capped`;
  if (!parents) return sql`select count(*)::int as count from ${counted}`;
  return sql`select p.id as _parent, (select count(*)::int from ${counted}) as count
    from ${raw(`"${parents.table}" p`)} where ${parents.condition}`;
}

/** What a resource's rows are selected from, as the alias `t`. */
export function tableSql({ source, resource }: Pick<ListStatement, 'resource' | 'source'>): Sql {
  return source ? sql`(${source}) t` : raw(`"${resource.table}" t`);
}

/** What is read of a row beside what may be joined to it. */
function pageColumns({ columns, json, cursors, order }: ListStatement): string[] {
  return [...new Set([...(json ? [] : columns), 'id', ...(cursors ? [order] : [])])];
}

/** The JSON of a row or a page that was read as such. */
export function writtenJson(row: object): string | undefined {
  return (row as { _json?: string })._json;
}

/**
 * The JSON of the items of a row's own page, with commas between them, where it was read along with the row and could
 * be written: one that could not is this character, which no JSON holds.
 */
export function nestedJson(row: object): string | undefined {
  const { _nested: items } = row as { _nested?: string };
  return items?.includes('\x01') ? undefined : items;
}

function names(alias: string, columns: readonly string[]): Sql {
  return raw([...new Set(columns)].map((name) => `${alias}.${name}`).join(', '));
}

function bound(position: Position): Sql {
  return sql`(${new Date(position.time).toISOString()}::timestamptz, ${position.id}::uuid)`;
}

export function orderBy(alias: string, column: string, direction: number): Sql {
  const word = direction === 1 ? 'asc' : 'desc';
  return raw(`order by ${alias}.${column} ${word}, ${alias}.id ${word}`);
}

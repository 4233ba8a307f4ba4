import { type RawBuilder, sql } from 'kysely';
import { empty, type Statement, shaped } from '#postgres-access';
import type { Context } from '../context.ts';
import { plannedEachTime } from '../planner.ts';
import { conditionSql, filterShape, filterValues, type ListSlots } from './condition.ts';
import {
  columnsOf,
  type Joined,
  type ListRows,
  type ListStatement,
  orderedColumns,
  pageShape,
  pageValues,
  type Window,
} from './page.ts';
import type { ListDefinition, ListScope, Strands } from './resource.ts';

type Row = Record<string, unknown>;

/** For statements whose plan depends on the values of a client's filter. */
export const filtered = { ...plannedEachTime, work: 'heavy' } as const;

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Names a definition in the keys of shapes, which must exist only once. */
export function numberOf(definition: ListDefinition): number {
  if (!numbers.has(definition)) numbers.set(definition, ++lastNumber);
  return numbers.get(definition) as number;
}

/** A statement on the rows of a list, compiled once for each shape; `further`: what else its text depends on. */
export function rowsStatement<Read>(
  ctx: Context,
  { list, owner, where, parents }: ListRows,
  further: { shape: readonly unknown[]; values?: object },
  build: (slots: ListSlots) => RawBuilder<Read>,
): Statement<Read> {
  const { viewer, membership, now } = ctx;
  const role = membership?.role;
  const { organizationId: _, ...permissions } = viewer?.key ?? {};
  const shape = [
    numberOf(list),
    role,
    Object.values(permissions),
    filterShape(where),
    parents !== undefined,
    ...further.shape,
  ].join(' ');
  const values = {
    ...{ userId: viewer?.userId, sessionId: viewer?.sessionId, organizationId: membership?.organizationId },
    ...{ owner, now: now.toISOString(), parents, ...filterValues(list.resource, where), ...further.values },
  };
  return shaped(`list ${shape}`, values, (at) => {
    const { userId, sessionId, organizationId } = at as { userId: string; sessionId: string; organizationId: string };
    const scope: ListScope = {
      viewer: { userId, sessionId, key: viewer?.key ?? null },
      membership: role ? { organizationId, role } : null,
      owner: at.owner,
      now: at.now,
    };
    return build({ scope, slot: (name) => (at as Record<string, unknown>)[name] });
  });
}

/** What the viewer may see, and the filter. */
export function conditionOf({ list, where }: ListRows, slots: ListSlots): RawBuilder<boolean> {
  const filter = conditionSql(list.resource, where, slots);
  return list.visible ? sql`${list.visible(slots.scope)} and ${filter}` : filter;
}

export function strandsOf({ list, where }: ListRows, slots: ListSlots): Strands | undefined {
  const strands = list.strands?.(slots.scope);
  return strands && { ...strands, link: sql`${strands.link} and ${conditionSql(list.resource, where, slots)}` };
}

export function parentsOf({ list, parents }: ListRows, { scope, slot }: ListSlots) {
  if (!parents || !('parent' in list)) return null;
  return {
    table: sql.raw(`"${list.parent.table}" p`),
    link: sql<boolean>`${sql.ref(`t.${list.parent.column}`)} = p.id`,
    condition: sql<boolean>`p.id = any(${slot('parents')}::uuid[]) and ${list.visibleParents(scope)}`,
  };
}

const opposite = { '>': '<=', '<': '>=' } as const;

/**
 * One statement for the page and the flags of its bounds. Pages of several parents are a lateral join, so that each parent reads
 * at most one row more than the page size.
 *
 * Columns: the requested ones, `_parent` (the parent's id), `_behind` and `_ahead`. A parent without rows gives one row whose
 * `id` is null; a parent that the viewer may not see gives none.
 */
export function listSql(ctx: Context, statement: ListStatement): Statement<Row> {
  const values = { ...pageValues(statement), ...statement.nested?.values };
  const further = { shape: pageShape(statement), values };
  return rowsStatement(ctx, statement, further, (slots) => listText(statement, slots));
}

function listText(statement: ListStatement, slots: ListSlots): RawBuilder<Row> {
  const { window, joined, nested } = statement;
  const parents = parentsOf(statement, slots);
  const condition = conditionOf(statement, slots);
  const linked = parents ? sql<boolean>`${parents.link} and ${condition}` : condition;
  const flags = statement.flags ? flagsSql(statement, linked, slots) : [];
  if (!parents && flags.length === 0 && !joined && !nested) {
    return pageSql(statement, linked, columnsOf(statement), slots);
  }
  const shown = [
    columnsSql('page', columnsOf(statement)),
    ...(parents ? [sql.raw('p.id as _parent')] : []),
    ...(flags.length > 0 ? [sql.raw('flags.*')] : []),
    ...joinedColumns(joined, slots.scope),
    ...(nested ? [sql.raw('_nested')] : []),
  ];
  const from = sql`${parents ? parents.table : sql.raw('(select 1) p')}
    ${flags.length > 0 ? sql`left join lateral (select ${sql.join(flags)}) flags on true` : empty}
    left join lateral (${pageSql(statement, linked, orderedColumns(statement), slots)}) page on true
    ${joined?.join(slots.scope) ?? empty}${nested?.join(slots) ?? empty}`;
  const order = orderBy('page', statement.order, walk(window));
  return select(sql.join(shown), from, parents ? sql`where ${parents.condition} ${order}` : order);
}

export const joinedColumns = (joined: Joined | undefined, scope: ListScope) =>
  (joined?.columns ?? []).map((column) => sql`${column.sql(scope)} as ${sql.raw(column.name)}`);

export function select<Read = Row>(
  what: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  further: RawBuilder<unknown> = empty,
): RawBuilder<Read> {
  return sql`select ${what} from ${from} ${further}`;
}

/** The rows of a page, and one more if the flags are requested. */
export function pageSql(
  statement: ListStatement,
  linked: RawBuilder<boolean>,
  columns: readonly string[],
  slots: ListSlots,
): RawBuilder<Row> {
  const { window, order, flags } = statement;
  const [later, sooner] = comparisons(window);
  const after = window.after ? sql` and ${beyond(order, later, 'after', slots)}` : empty;
  const before = window.before ? sql` and ${beyond(order, sooner, 'before', slots)}` : empty;
  const rows = {
    table: tableSql(statement.list, slots.scope),
    condition: linked,
    strands: strandsOf(statement, slots),
    bounds: sql`${after}${before}`,
  };
  const limit = flags ? window.size + 1 : window.size;
  return walkSql({ ...rows, order, direction: walk(window), limit }, columns);
}

/** Whether a row lies beyond each bound. Ordered away from it, so that the plan starts there and stops at the first row. */
function flagsSql(statement: ListStatement, linked: RawBuilder<boolean>, slots: ListSlots): RawBuilder<unknown>[] {
  const { list, window, order } = statement;
  const [later, sooner] = comparisons(window);
  const rows = { table: tableSql(list, slots.scope), condition: linked, strands: strandsOf(statement, slots) };
  const probe = (comparison: '>' | '<', bound: 'after' | 'before', direction: number) => {
    const bounds = sql` and ${beyond(order, opposite[comparison], bound, slots)}`;
    return sql`(${matchSql({ ...rows, bounds, order, direction, limit: 1 }, sql.raw('true'))})`;
  };
  return [
    ...(window.after ? [sql`${probe(later, 'after', -window.direction)} as _behind`] : []),
    ...(window.before ? [sql`${probe(sooner, 'before', window.direction)} as _ahead`] : []),
  ];
}

const comparisons = ({ direction }: Window) => (direction === 1 ? (['>', '<'] as const) : (['<', '>'] as const));

/** The direction in which rows are read: backwards for a page from the end. */
export const walk = ({ anchor, direction }: Window) => (anchor === 'start' ? direction : -direction);

function beyond(
  order: string,
  comparison: string,
  bound: 'after' | 'before',
  { slot }: ListSlots,
): RawBuilder<unknown> {
  return sql`${sql.raw(`(t.${order}, t.id) ${comparison}`)} (${slot(bound)}::timestamptz, ${slot(`${bound}Id`)}::uuid)`;
}

/** The source of a resource's rows, as the alias `t`. */
export function tableSql(
  { resource, source = resource.source }: ListDefinition,
  scope: ListScope,
): RawBuilder<unknown> {
  return source ? sql`${source(scope)} t` : sql.raw(`"${resource.table}" t`);
}

/** A read of a list in one direction. */
export interface Walk {
  /** The table of the rows, as the alias `t`. */
  table: RawBuilder<unknown>;
  /** The column of the order; the id breaks ties. */
  order: string;
  direction: number;
  /** Which rows to read, except those of strands. */
  condition: RawBuilder<unknown>;
  strands?: Strands | undefined;
  /** Where the walk starts and ends, as conditions that each start with `and`. */
  bounds: RawBuilder<unknown>;
  limit: number;
}

/** A select of the first rows of a walk. */
function walkSql(walk: Walk, columns: readonly string[]) {
  const { table, order, direction, condition, strands, bounds, limit } = walk;
  const first = (alias: string, count: number) => sql`${orderBy(alias, order, direction)} ${sql.raw(`limit ${count}`)}`;
  const rows = (chosen: readonly string[], where: RawBuilder<unknown>, count: number) =>
    select(columnsSql('t', chosen), table, sql`where ${where}${bounds} ${first('t', count)}`);
  if (!strands) return rows(columns, condition, limit);

  const read = [...new Set([...columns, order, 'id'])];
  // the first `limit` rows are in the `limit` strands that start first
  const starts = sql`${strands.table} s cross join lateral (${rows([order, 'id'], strands.link, 1)}) start`;
  const sooner = select(sql.raw('s.*'), starts, first('start', limit));
  const stranded = sql`(${sooner}) s cross join lateral (${rows(read, strands.link, limit)}) t`;
  const all = sql`((${rows(read, condition, limit)}) union all (${select(columnsSql('t', read), stranded)})) t`;
  return select(columnsSql('t', columns), all, first('t', limit));
}

/** A select of `shown` for each row of a walk. @param shown an expression that is not a column, or nothing */
export function matchSql(
  walk: Omit<Walk, 'limit'> & { limit: number | undefined },
  shown: RawBuilder<unknown> = empty,
): RawBuilder<unknown> {
  const { table, condition, strands, bounds } = walk;
  const limit = walk.limit === undefined ? empty : sql.raw(`limit ${walk.limit}`);
  // without an order, PostgreSQL chose an index that starts with rows that a member may not see (note 0060)
  const order = walk.limit === undefined ? empty : orderBy('t', walk.order, walk.direction);
  const rows = (what: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
    select(what, table, sql`where ${where}${bounds} ${order} ${limit}`);
  if (!strands) return rows(shown, condition);
  const stranded = select(empty, sql`${strands.table} s cross join lateral (${rows(empty, strands.link)}) t`);
  return select(shown, sql`((${rows(empty, condition)}) union all (${stranded})) t`, limit);
}

export function columnsSql(alias: string, columns: readonly string[]): RawBuilder<unknown> {
  return sql.raw(columns.map((name) => `${alias}.${name}`).join(', '));
}

export function orderBy(alias: string, column: string, direction: number): RawBuilder<unknown> {
  const word = direction === 1 ? 'asc' : 'desc';
  return sql.raw(`order by ${alias}.${column} ${word}, ${alias}.id ${word}`);
}

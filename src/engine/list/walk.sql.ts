import sql, { empty, raw, type Sql } from 'sql-template-tag';

/**
 * Rows that an index has in the list's order only within each strand, such as the entries of each of many people. Reading
 * and sorting them all would cost more the longer the strands are.
 */
export interface Strands {
  /** A table with one row per strand; its alias is `s`. */
  table: Sql;
  /** Whether a row of `t` belongs to the strand, as a condition that an index serves. */
  link: Sql;
}

/** Reads from one end of a list, or from a bound. */
export interface Walk {
  /** What the rows are of, as the alias `t`. */
  table: Sql;
  /** The column of the order; the id breaks ties. */
  order: string;
  direction: number;
  /** Which rows count, those of strands left out. */
  condition: Sql;
  strands?: Strands | undefined;
  /** Where the walk starts and ends: further conditions, each with its `and`. */
  bounds: Sql;
  limit: number;
}

/** A select of the first rows of a walk. */
export function walkSql(walk: Walk, columns: readonly string[]): Sql {
  const { table, order, direction, condition, strands, bounds, limit } = walk;
  const select = (chosen: readonly string[], where: Sql, count: number): Sql =>
    sql`select ${raw(names('t', chosen))} from ${table}
    where ${where}${bounds} ${orderBy('t', order, direction)} ${raw(`limit ${count}`)}`;
  if (!strands) return select(columns, condition, limit);

  const read = [...new Set([...columns, order, 'id'])];
  // the first rows of all strands are in the strands that start first; of the others only the start is read
  const first = sql`select s.* from ${strands.table} s
    cross join lateral (${select([order, 'id'], strands.link, 1)}) start
    ${orderBy('start', order, direction)} ${raw(`limit ${limit}`)}`;
  const stranded = sql`select ${raw(names('t', read))} from (${first}) s
    cross join lateral (${select(read, strands.link, limit)}) t`;
  return sql`select ${raw(names('t', columns))} from ((${select(read, condition, limit)}) union all (${stranded})) t
    ${orderBy('t', order, direction)} ${raw(`limit ${limit}`)}`;
}

/**
 * A select of `shown` for each row of a walk; without a limit, for all that match.
 *
 * @param shown an expression that is not a column, or nothing
 */
export function matchSql(walk: Omit<Walk, 'limit'> & { limit: number | undefined }, shown: Sql = empty): Sql {
  const { table, condition, strands, bounds } = walk;
  const limit = walk.limit === undefined ? empty : raw(`limit ${walk.limit}`);
  // in the order of a walk: without an order, PostgreSQL read the start of an index, which a member may not see
  const order = walk.limit === undefined ? empty : orderBy('t', walk.order, walk.direction);
  const select = (what: Sql, where: Sql) => sql`select ${what} from ${table} where ${where}${bounds} ${order} ${limit}`;
  if (!strands) return select(shown, condition);
  const stranded = sql`select from ${strands.table} s cross join lateral (${select(empty, strands.link)}) t`;
  return sql`select ${shown} from ((${select(empty, condition)}) union all (${stranded})) t ${limit}`;
}

export function names(alias: string, columns: readonly string[]): string {
  return columns.map((name) => `${alias}.${name}`).join(', ');
}

export function orderBy(alias: string, column: string, direction: number): Sql {
  const word = direction === 1 ? 'asc' : 'desc';
  return raw(`order by ${alias}.${column} ${word}, ${alias}.id ${word}`);
}

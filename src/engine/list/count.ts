import { sql } from 'kysely';
import { empty } from '#postgres-access';
import { fault } from '../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { conditionOf, filtered, matchSql, parentsOf, rowsStatement, select, strandsOf, tableSql } from './list.sql.ts';
import type { ListRows } from './page.ts';

export interface Count {
  /** Never above the cap, if there is one. */
  value: number;
  /** If not, there are more. */
  exact: boolean;
}

/** Far above any "more than n" that a client shows; beyond it, a client wants the exact count. */
export const greatestCap = 1_000_000;

/** @throws DomainError INVALID_QUERY */
export function parseCap(max: number | null | undefined): number | undefined {
  if (max === null || max === undefined) return undefined;
  if (Number.isInteger(max) && max >= 1 && max <= greatestCap) return max;
  throw fault('INVALID_QUERY', '/max', `\`max\` is a whole number from 1 to ${greatestCap}.`);
}

/** Counts by parent (the empty string if there is none), up to `max` if given. */
export async function readCounts(ctx: Context, rows: ListRows, max: number | undefined): Promise<Map<string, Count>> {
  const { list } = rows;
  // one more than the cap shows whether there are more (note 0060)
  const limit = max === undefined ? undefined : max + 1;
  const statement = rowsStatement(ctx, rows, { shape: ['count', limit] }, (slots) => {
    const parents = parentsOf(rows, slots);
    const strands = strandsOf(rows, slots);
    const table = tableSql(list, slots.scope);
    const matching = conditionOf(rows, slots);
    const condition = parents ? sql`${parents.link} and ${matching}` : matching;
    const walk = { table, condition, strands, bounds: empty, order: list.resource.order, direction: 1, limit };
    const capped = limit !== undefined || strands;
    const counted = capped ? sql`(${matchSql(walk)}) capped` : sql`${table} where ${condition}`;
    if (!parents) return select<Counted>(sql`count(*)::int as count`, counted);
    const ofParent = sql`p.id as _parent, (${select(sql`count(*)::int`, counted)}) as count`;
    return select<Counted>(ofParent, parents.table, sql`where ${parents.condition}`);
  });
  const counts = await ctx.db.rows(statement, { from: list.from ?? 'read', ...filtered });
  const cap = max ?? Number.POSITIVE_INFINITY;
  return new Map(
    counts.map(({ _parent = '', count }) => [_parent, { value: Math.min(count, cap), exact: count <= cap }]),
  );
}

interface Counted {
  _parent?: string;
  count: number;
}

import sql, { empty, raw } from 'sql-template-tag';
import { fault } from '../../kernel/errors.ts';
import type { Context } from '../context.ts';
import type { Text } from '../database.ts';
import { filtered, type ListStatement, matchSql, select, tableSql } from './list.sql.ts';

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
export async function readCounts(
  ctx: Context,
  statement: Pick<ListStatement, 'resource' | 'source' | 'condition' | 'strands' | 'parents' | 'from'>,
  max: number | undefined,
): Promise<Map<string, Count>> {
  const { from = 'read', parents, strands, resource } = statement;
  const table = tableSql(statement);
  const condition = parents ? sql`${parents.link} and ${statement.condition}` : statement.condition;
  // one more than the cap shows whether there are more (note 0060)
  const limit = max === undefined ? undefined : max + 1;
  const rows = { table, condition, strands, bounds: empty, order: resource.order, direction: 1, limit };
  const capped = limit !== undefined || strands;
  const counted = capped ? sql`(${matchSql(rows)}) capped` : sql`${table} where ${condition}`;
  const ofParent = sql`p.id as _parent, (${select(raw('count(*)::int'), counted)}) as count`;
  const text: Text<Counted> = parents
    ? select(ofParent, raw(`"${parents.table}" p`), sql`where ${parents.condition}`)
    : select(raw('count(*)::int as count'), counted);
  const counts = await ctx.db.rows(text, { from, ...filtered });
  const cap = max ?? Number.POSITIVE_INFINITY;
  return new Map(
    counts.map(({ _parent = '', count }) => [_parent, { value: Math.min(count, cap), exact: count <= cap }]),
  );
}

interface Counted {
  _parent?: string;
  count: number;
}

import sql, { raw, type Sql } from 'sql-template-tag';
import type { Context } from '../context.ts';
import { conditionSql } from './condition.sql.ts';
import { type Condition, isEverything } from './condition.ts';
import type { Count } from './count.ts';
import { type ListStatement, type NestedPage, tableSql } from './list.sql.ts';
import { CursorScope, type ListInput, readCounts, readPages } from './list.ts';
import type { Page } from './page.ts';
import type { ListResource } from './resource.ts';
import { shapeRow } from './row.ts';
import type { Strands } from './walk.sql.ts';

/** A list that belongs to an organization or to a user: which rows, and whose cursors. */
export interface OwnList {
  resource: ListResource;
  /** The id of the organization or the user whose list it is; cursors are bound to it. */
  owner: string;
  /** The id of the row that the list belongs to, if it belongs to one; cursors are bound to it. */
  parent?: string;
  /** The rows that the viewer may see, as a condition over the alias `t`. */
  visible: Sql;
  /** Further rows that the viewer may see. */
  strands?: Strands;
  /** As in {@link ListStatement}. */
  source?: ListStatement['source'];
  from?: ListStatement['from'];
}

/**
 * A page of a list.
 *
 * @throws DomainError INVALID_CURSOR
 */
export async function readOwnPage<Row>(ctx: Context, list: OwnList, input: ListInput): Promise<Page<Row>> {
  const { resource, owner, parent, source, from } = list;
  const order = input.order ?? resource.order;
  const scope = new CursorScope(ctx, { owner, resource, parent, order, where: input.where });
  const window = scope.window(input.paging);
  const matching = listRows(ctx, list, input.where);
  const { columns, cursors = true, flags = true, nested } = input;
  const prepared = isEverything(input.where) && nested?.prepared !== false;
  const statement = { resource, source, from, columns, cursors, flags, order, ...matching, window, prepared, nested };
  const pages = await readPages<Row>(ctx, statement, () => scope);
  return pages.get('') as Page<Row>;
}

/** The number of rows in a list, up to `max` if given; by the same condition, so that the two agree. */
export async function readOwnCount(ctx: Context, list: OwnList, where: Condition, max?: number): Promise<Count> {
  const { resource, source, from } = list;
  const counts = await readCounts(ctx, { resource, source, from, ...listRows(ctx, list, where) }, max);
  return counts.get('') as Count;
}

/** The rows with these ids that are in the list, in no order; always from the primary. */
export async function findOwnRows<Row>(
  ctx: Context,
  list: OwnList,
  ids: readonly string[],
  columns: readonly string[],
  nested?: NestedPage | null,
): Promise<Row[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `t.${name}`).join(', ');
  const { visible, strands } = list;
  const seen = strands ? sql`(${visible} or exists (select from ${strands.table} s where ${strands.link}))` : visible;
  const select = sql`select ${raw(names)} from ${tableSql(list)} where t.id = any(${ids}::uuid[]) and ${seen}`;
  const statement = nested ? sql`select page.*, _nested from (${select}) page ${nested.join}` : select;
  const rows = await ctx.db.rows<Record<string, unknown>>(statement, {
    prepared: nested?.prepared !== false,
  });
  for (const row of rows) nested?.take(row);
  return rows.map((each) => shapeRow<Row>(list.resource, each));
}

/** The rows of a list that match: what the viewer may see, with the client's filter. */
function listRows(
  ctx: Context,
  { resource, visible, strands }: OwnList,
  where: Condition,
): Pick<ListStatement, 'condition' | 'strands'> {
  const filter = conditionSql(resource, where, ctx.now);
  const condition = sql`${visible} and ${filter}`;
  return strands ? { condition, strands: { ...strands, link: sql`${strands.link} and ${filter}` } } : { condition };
}

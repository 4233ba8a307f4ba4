import sql, { raw, type Sql } from 'sql-template-tag';
import type { Context } from '../context.ts';
import { rows } from '../database.ts';
import { conditionSql } from './condition.sql.ts';
import { type Condition, isEverything } from './condition.ts';
import type { Count } from './count.ts';
import { type ListStatement, type NestedPage, tableSql } from './list.sql.ts';
import { CursorScope, type ListInput, preparing, readCounts, readPages } from './list.ts';
import type { Page } from './page.ts';
import type { ListResource } from './resource.ts';
import { shapeRow } from './row.ts';

/** A list that belongs to an organization or to a user, and not to another row: which rows, and whose cursors. */
export interface OwnList {
  resource: ListResource;
  /** The id of the organization or the user whose list it is; cursors are bound to it. */
  owner: string;
  /** The rows that the viewer may see, as a condition over the alias `t`. */
  visible: Sql;
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
  const { resource, owner, source, from } = list;
  const order = input.order ?? resource.order;
  const scope = new CursorScope(ctx, { owner, resource, order, where: input.where });
  const window = scope.window(input.paging);
  const condition = listCondition(ctx, list, input.where);
  const { columns, cursors = true, flags = true, nested } = input;
  const prepared = isEverything(input.where) && nested?.prepared !== false;
  const statement = { resource, source, from, columns, cursors, flags, order, condition, window, prepared, nested };
  const pages = await readPages<Row>(ctx, statement, () => scope);
  return pages.get('') as Page<Row>;
}

/** How many rows a list holds, up to `max` where it is given; the same condition, so the two can't differ. */
export async function readOwnCount(ctx: Context, list: OwnList, where: Condition, max?: number): Promise<Count> {
  const { resource, source, from } = list;
  const counts = await readCounts(ctx, { resource, source, from, condition: listCondition(ctx, list, where) }, max);
  return counts.get('') as Count;
}

/** The rows of these ids that the list holds, in no order; always from the primary. */
export async function findOwnRows<Row>(
  ctx: Context,
  list: OwnList,
  ids: readonly string[],
  columns: readonly string[],
  nested?: NestedPage | null,
): Promise<Row[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `t.${name}`).join(', ');
  const select = sql`select ${raw(names)} from ${tableSql(list)} where t.id = any(${ids}::uuid[]) and ${list.visible}`;
  const statement = nested ? sql`select page.*, _nested from (${select}) page ${nested.join}` : select;
  const found = await rows<Record<string, unknown>>(ctx.reader, statement, {
    prepared: preparing(nested?.prepared !== false, Boolean(nested)),
  });
  return found.map((each) => shapeRow<Row>(list.resource, each));
}

function listCondition(ctx: Context, { resource, visible }: OwnList, where: Condition): Sql {
  return sql`${visible} and ${conditionSql(resource, where, ctx.now)}`;
}

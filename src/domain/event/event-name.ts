import sql, { raw, type Sql } from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { names, select, shapeRow, tableSql } from '../../engine/list/list.sql.ts';
import type { OwnList } from '../../engine/list/list.ts';
import { parseUuid } from '../../kernel/scalars.ts';

/** An event in a request: by its id, by its slug, or by a text that may be either. */
export interface EventName {
  id?: string | null;
  slug?: string | null;
}

/** The event of a list with an id, a slug, or a former slug that no other event has now, in this order. */
export async function findNamed<Row>(
  ctx: Pick<Context, 'db'>,
  list: OwnList,
  { id, slug }: EventName,
  columns: readonly string[],
): Promise<Row | null> {
  const by = (shown: string, table: string, condition: Sql) =>
    select(raw(shown), raw(table), sql`where organization_id = ${list.owner}::uuid and ${condition}`);
  // row by row: a join would depend on statistics, which are missing right after a large import
  const found = select(raw('*'), tableSql(list), raw('where t.id = named.id limit 1'));
  const shown = raw(names('t', [...new Set(['id', ...columns])]));
  const read = async (named: Sql) => {
    const from = sql`(${named}) named cross join lateral (${found}) t`;
    const statement = select(shown, from, sql`where ${list.visible} order by named.rank limit 1`);
    const row = await ctx.db.row(statement, { prepared: true });
    return row ? shapeRow<Row>(list.resource, row) : null;
  };
  const uuid = parseUuid(id);
  const byId = uuid && (await read(by('id, 1 as rank', 'event', sql`id = ${uuid}::uuid`)));
  // PostgreSQL cannot store NUL, so no slug contains it
  if (byId || !slug || slug.includes('\0')) return byId || null;
  return read(sql`${by('id, 1 as rank', 'event', sql`slug = ${slug}`)}
    union all ${by('event_id as id, 2 as rank', 'event_slug', sql`slug = ${slug}`)}`);
}

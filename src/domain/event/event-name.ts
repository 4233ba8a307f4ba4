import { type RawBuilder, sql } from 'kysely';
import { parseUuid } from '#input-values';
import type { Context } from '../../engine/context.ts';
import { everything } from '../../engine/list/condition.ts';
import { columnsSql, conditionOf, rowsStatement, select, tableSql } from '../../engine/list/list.sql.ts';
import type { OwnList } from '../../engine/list/list.ts';
import { shapeRow } from '../../engine/list/page.ts';

/** An event in a request: by its id, by its slug, or by a text that may be either. */
export interface EventName {
  id?: string | null;
  slug?: string | null;
}

/** The event of a list with an id, a slug, or a former slug that no other event has now, in this order. */
export async function findNamed<Row>(
  ctx: Context,
  own: OwnList,
  { id, slug }: EventName,
  columns: readonly string[],
): Promise<Row | null> {
  const rows = { ...own, where: everything };
  const names = [...new Set(['id', ...columns])];
  const read = async (by: 'id' | 'slug', name: string) => {
    const further = { shape: ['named', by, names], values: { name } };
    const statement = rowsStatement(ctx, rows, further, (slots) => {
      const { owner } = slots.scope;
      const of = (shown: string, table: string, condition: RawBuilder<boolean>) =>
        select(sql.raw(shown), sql.raw(table), sql`where organization_id = ${owner}::uuid and ${condition}`);
      const bySlug = sql<boolean>`slug = ${slots.slot('name')}`;
      const named =
        by === 'id'
          ? of('id, 1 as rank', 'event', sql`id = ${slots.slot('name')}::uuid`)
          : sql`${of('id, 1 as rank', 'event', bySlug)} union all ${of('event_id as id, 2 as rank', 'event_slug', bySlug)}`;
      // row by row: a join would depend on statistics, which are missing right after a large import
      const found = select(sql`*`, tableSql(own.list, slots.scope), sql`where t.id = named.id limit 1`);
      const from = sql`(${named}) named cross join lateral (${found}) t`;
      return select(columnsSql('t', names), from, sql`where ${conditionOf(rows, slots)} order by named.rank limit 1`);
    });
    const row = await ctx.db.row(statement, { prepared: true });
    return row ? shapeRow<Row>(own.list.resource, row) : null;
  };
  const uuid = parseUuid(id);
  const byId = uuid && (await read('id', uuid));
  // PostgreSQL cannot store NUL, so no slug contains it
  return byId || (slug && !slug.includes('\0') ? await read('slug', slug) : null);
}

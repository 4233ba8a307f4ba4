import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#postgres-access';
import { batchLoader, type Context, type Loader } from '../../engine/context.ts';
import type { Database } from '../../engine/database.ts';
import { anyOf, tables } from '../tables/tables.ts';

/** In the order in which the waiting list moves up. */
const place = sql.raw<number>('row_number() over (partition by event_id order by waiting_since, id)::int');

const positionsOf = prepared((at: { ids: readonly string[] }) => {
  const waiting = tables.selectFrom('subscription').where('status', '=', sql.lit('waitlisted'));
  const numbered = waiting
    .select(['id', place.as('position')])
    .where('event_id', 'in', waiting.select('event_id').where('id', '=', anyOf(at.ids)));
  return tables.selectFrom(numbered.as('w')).select(['w.id', 'w.position']).where('w.id', '=', anyOf(at.ids));
});

/** On the waiting list of its event, 1 is next; null for a subscription that is not on it. For those that the viewer may see. */
export function waitingPositionLoader(ctx: Context): Loader<number | null> {
  return batchLoader<number | null>(ctx, 'waiting positions', async (ids) => {
    const rows = await ctx.db.rows(positionsOf({ ids }), { from: 'read', work: 'heavy' });
    const found = new Map(rows.map(({ id, position }) => [id, position]));
    return ids.map((id) => found.get(id) ?? null);
  });
}

/** As {@link waitingPositionLoader}, for one. */
export async function findWaitingPosition(db: Database, id: string): Promise<number | null> {
  return (await db.row(positionsOf({ ids: [id] })))?.position ?? null;
}

/** For an export: joins `w.position` to the rows `t`. @param within a condition that contains whole waiting lists */
export function joinedPosition(within: RawBuilder<boolean>): RawBuilder<unknown> {
  const waiting = sql`select id, ${place} as position from subscription where status = 'waitlisted' and ${within}`;
  return sql`left join (${waiting}) w on w.id = t.id`;
}

import { type RawBuilder, sql } from 'kysely';
import { type Place, start, tail } from '#log-places';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import { deliveriesOf, deliveryId } from './delivery-jobs.ts';
import { countedPending } from './webhook.resource.ts';

/**
 * The changes that the webhook `w` has neither read nor queued, up to `limit` of each kind: above its place, or committed late. One
 * kind at a time, and fenced off by `offset 0`, so that PostgreSQL always reads the range of an index.
 */
const counted = sql.lit(countedPending);

function unread(limit: RawBuilder<unknown>): RawBuilder<unknown> {
  // changes that wait already may be after the place of a webhook that was moved back
  const own = sql`c.organization_id = w.organization_id and c.op is not null
    and not exists (select from job where id = ${deliveryId(sql`w.id`, sql`c.id`)})`;
  const late = (written: RawBuilder<unknown>) => sql`select from (select * from change c where ${written} offset 0) c
    where ${own} and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint`;
  const height = sql`coalesce((w.place->>'height')::bigint, ${sql.lit(start)})`;
  const moment = sql`w.place->'moment'`;
  return sql`(select from unnest(w.kinds) k (kind) cross join lateral (
      select from change c where ${own} and c.kind = k.kind and c.seq > ${height} order by c.seq limit ${limit}
    ) above limit ${limit})
    union all ${late(sql`c.x >= (${moment}->>'from')::xid8 and c.x < (${moment}->>'to')::xid8`)}
    union all ${late(sql`c.x = any(array(select given.id::xid8 from jsonb_array_elements_text(${moment}->'open') as given (id)))`)}`;
}

/** How many changes the webhook `w` has not delivered; PostgreSQL counts only if a statement selects this. */
export const pending = sql<number>`least(${counted},
    (select count(*) from (select from job where ${deliveriesOf(sql`w.id`)} limit ${counted}) read)
    + (select count(*) from (${unread(counted)}) unread))::int`;

/** Numbers are drawn before the time is taken, so the times of this many neighbours may be out of order. */
const disorder = 200;

const lastBefore = prepared((at: { organizationId: string; since: string; height: number }) => {
  const log = sql`select seq, id, occurred_at from change where organization_id = ${at.organizationId}::uuid`;
  const before = sql`${log} and occurred_at < ${at.since}::timestamptz and seq <= ${at.height}::bigint order by seq desc limit 1`;
  return sql<{ seq: string; id: string }>`with latest as (${before}), early as (
      select min(seq) as seq from (${log} and seq < (select seq from latest) order by seq desc limit ${sql.lit(disorder)}) near
      where occurred_at >= ${at.since}::timestamptz
    )
    ${log} and seq <= (select seq from latest) and seq < coalesce((select seq from early), (select seq + 1 from latest))
    order by seq desc limit 1`;
});

/** The place before a time, at most `own`; null if the log does not reach back as far. */
export async function placeBefore(
  db: Database,
  organizationId: string,
  since: string,
  own: Place,
): Promise<Place | null> {
  const found = await db.row(lastBefore({ organizationId, since, height: own.height }));
  if (!found) return null;
  const height = Number(found.seq);
  // keeps the moment: transactions that were open then may still write below the new place
  return height < own.height ? { ...own, height, newest: tail(found.id), late: null, caughtUp: false } : own;
}

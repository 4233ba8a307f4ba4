import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { decodePlace, encodePlace, type Place, start, tail } from '../change/place.ts';
import { deliveriesOf } from './delivery-jobs.ts';
import type { Webhook } from './webhook.entity.ts';
import { countedPending } from './webhook.resource.ts';

/** The columns of a webhook that say how far it has read the log. */
export type PlaceColumns = Pick<
  Webhook,
  'place' | 'place_height' | 'place_open' | 'place_from' | 'place_to' | 'place_at'
>;

/** The columns of a place; of the one before everything, if there is none. */
export function placeColumns(place: Place | null): PlaceColumns {
  const { height, moment, at } = place ?? {
    height: start,
    moment: { open: [], from: 0, to: 0 },
    late: null,
    at: 0,
  };
  return {
    place: place && encodePlace(place),
    place_height: String(height),
    place_open: moment.open.map(String),
    place_from: String(moment.from),
    place_to: String(moment.to),
    place_at: new Date(at * 1000).toISOString(),
  };
}

/** The place of a webhook; null before everything. */
export function placeOf({ place }: Pick<PlaceColumns, 'place'>): Place | null {
  return place && decodePlace(Buffer.from(place));
}

/** Moves a webhook to a place, and says whether there is known to be more. */
export function setPlace(webhookId: string, to: Place | null, more: boolean): Sql {
  const { place, ...columns } = placeColumns(to);
  return sql`update webhook set place = ${place}::bytea, place_height = ${columns.place_height}::bigint,
      place_open = ${columns.place_open}::text[]::xid8[], place_from = ${columns.place_from}::xid8, place_to = ${columns.place_to}::xid8,
      place_at = ${columns.place_at}::timestamptz, unread = ${more} where id = ${webhookId}::uuid`;
}

/** Lets a webhook read on from its place, whatever a process has read of the log before, of other kinds or from another place. */
export function redirect({ id, organization_id }: Pick<Webhook, 'id' | 'organization_id'>): Sql {
  return sql`update webhook set redirected_at = clock_timestamp(), unread = true
    where id = ${id}::uuid and organization_id = ${organization_id}::uuid`;
}

/**
 * The changes that the webhook `w` has neither read nor queued, up to `limit` of each kind, as a select: above its place, or
 * committed late.
 * Each part is the range of an index, whatever PostgreSQL expects of a webhook: one kind at a time, and fenced off.
 */
export function unread(limit: number): Sql {
  // what waits already may stand behind the place of a webhook that was moved back
  const own = sql`c.organization_id = w.organization_id and c.op is not null
    and not exists (select from job where ${deliveriesOf(sql`w.id`)} and about = c.id)`;
  const late = (written: Sql) => sql`select from (select * from change c where ${written} offset 0) c
    where ${own} and c.kind = any(w.kinds) and c.seq <= w.place_height`;
  return sql`(select from unnest(w.kinds) k (kind) cross join lateral (
      select from change c where ${own} and c.kind = k.kind and c.seq > w.place_height order by c.seq limit ${limit}
    ) above limit ${limit})
    union all ${late(sql`c.x >= w.place_from and c.x < w.place_to`)}
    union all ${late(sql`c.x = any(w.place_open)`)}`;
}

/** The undelivered changes of the webhook `w`; PostgreSQL counts them only if a statement selects them. */
export const pending: Sql = sql`least(${countedPending},
    (select count(*) from (select from job where ${deliveriesOf(sql`w.id`)} limit ${countedPending}) read)
    + (select count(*) from (${unread(countedPending)}) unread))::int`;

/** Numbers are drawn before the time is taken: as many neighbours may stand in another order. */
const disorder = 200;

/**
 * The place before a time, which lies before `own`; `own` if that is not before the time, and null if the log does not
 * reach back as far.
 */
export async function placeBefore(
  db: Database,
  organizationId: string,
  since: string,
  own: Place | null,
): Promise<Place | null> {
  if (!own) return null;
  const log = sql`select seq, id, occurred_at from change where organization_id = ${organizationId}::uuid`;
  const before = sql`${log} and occurred_at < ${since}::timestamptz and seq <= ${own.height}::bigint order by seq desc limit 1`;
  const found = await db.row<{ seq: string; id: string }>(sql`with latest as (${before}), early as (
      select min(seq) as seq from (${log} and seq < (select seq from latest) order by seq desc limit ${disorder}) near
      where occurred_at >= ${since}::timestamptz
    )
    ${log} and seq <= (select seq from latest) and seq < coalesce((select seq from early), (select seq + 1 from latest))
    order by seq desc limit 1`);
  if (!found) return null;
  const height = Number(found.seq);
  // who was open at the moment of the own place may still write below the new one
  return height < own.height ? { ...own, height, newest: tail(found.id), late: null, caughtUp: false } : own;
}

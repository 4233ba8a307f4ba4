import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { isoTimestamp } from '../../kernel/scalars.ts';
import { changeKinds } from './change.table.ts';
import type { ChangeView, StoredChange } from './change-view.ts';
import { type Moment, momentOf, type Place, tail } from './place.ts';

/** What one statement reads: a snapshot, and the changes that are visible in it. */
export interface Reading {
  rows: StoredChange[];
  moment: Moment;
  floor: Floor | null;
  /** The end of the id of the newest change that the place knows, if it is there. */
  known: string | null;
}

/** Where the log of an organization begins, if that is not the beginning of the organization. */
export interface Floor {
  seq: number;
  updated_at: string;
}

/** A view, or all views of an organization. */
export type Viewed = ChangeView | { organizationId: string; member?: never; kinds?: never };

/**
 * The snapshot of a statement, and how many transactions from its `xmax` on had begun: see {@link momentOf}. Not within a
 * transaction that has a number: `age` would count from that number (note 0058).
 */
export const snapshotSql: Sql = raw(
  `pg_current_snapshot()::text as snapshot, age(pg_snapshot_xmax(pg_current_snapshot())::xid) as ahead`,
);

/**
 * In a transaction that has a number of its own, `age` tells that number instead of the next one: a moment would leave out
 * transactions that are younger, and what they commit would be lost.
 *
 * @throws Error if `db` is a transaction
 */
export function requireNoTransaction(db: Database): void {
  if ('em' in db) throw new Error('the log of changes cannot be read within a transaction');
}

/** Reads up to `limit` changes that follow a place, in one statement and so in one snapshot; outside of transactions. */
export async function readLog(db: Database, view: Viewed, place: Place, limit: number): Promise<Reading> {
  requireNoTransaction(db);
  const { organizationId } = view;
  const rows = await db.rows<Record<string, string | null> & { ahead: number }>(
    sql`select s.*, floor.seq as floor, floor.updated_at as floor_at, known.id as known, r.*
      from (select ${snapshotSql}) s
      left join change_floor floor on floor.organization_id = ${organizationId}::uuid
      left join change known on known.organization_id = ${organizationId}::uuid and known.seq = ${place.height}::bigint
      left join lateral (select * from (${rowsSql(view, place, limit)}) merged order by seq limit ${limit}::int) r on true
      order by r.seq`,
    { prepared: true },
  );
  const [first] = rows;
  if (!first) throw new Error('a select without a table returned no row');
  return {
    moment: momentOf(first.snapshot as string, first.ahead),
    floor:
      first.floor == null ? null : { seq: Number(first.floor), updated_at: isoTimestamp(first.floor_at as string) },
    known: first.known == null ? null : tail(first.known),
    rows: rows.flatMap((row) => (row.seq === null ? [] : [storedOf(row)])),
  };
}

function storedOf(row: object): StoredChange {
  const stored = row as StoredChange;
  return { ...stored, seq: Number(stored.seq), x: Number(stored.x), occurred_at: isoTimestamp(stored.occurred_at) };
}

/** A select of the changes that follow a place: those above it, and those below it that were not committed yet. */
function rowsSql(view: Viewed, { height, moment, late }: Place, limit: number): Sql {
  const parts = partsOf(view);
  const columns = raw(
    'c.seq, c.x, c.id, c.kind, c.op, c.member_op, c.object_id, c.event_id, c.user_id, c.version, c.actor_id, c.occurred_at',
  );
  const select = sql`select ${columns} from change c where c.organization_id = ${view.organizationId}::uuid`;
  // one transaction at a time: for a range of them a plan that is kept may search the whole log instead
  const below = sql`(select late.* from ${writersSql(moment, late?.moment ?? null)} w cross join lateral (
      ${select} and c.x = w.x and (${join(parts, ' or ')}) and c.seq <= ${height}::bigint
        ${late ? sql`and c.seq > ${late.last}::bigint` : empty} order by c.seq limit ${limit}::int) late)`;
  if (late) return below;
  // by user first: only the index of members has this order, and that of kinds would bring those of all users
  const order = view.member == null ? raw('c.seq') : raw('c.user_id, c.seq');
  const above = parts.map(
    (part) => sql`(${select} and ${part} and c.seq > ${height}::bigint order by ${order} limit ${limit}::int)`,
  );
  const isQuiet = moment.open.length === 0 && moment.from === moment.to;
  return join(isQuiet ? above : [...above, below], ' union all ');
}

/** The transactions that were not over at a moment, without those that were not over at a later one either. */
function writersSql({ open, from, to }: Moment, later: Moment | null): Sql {
  const still = later
    ? sql`where not (x = any(${later.open.map(String)}::xid8[])
        or (x >= ${String(later.from)}::xid8 and x < ${String(later.to)}::xid8))`
    : empty;
  return sql`(select x from (select unnest(${open.map(String)}::xid8[]) as x
      union all select generate_series(${from}::bigint, ${to}::bigint - 1)::text::xid8) began ${still})`;
}

/** What a view consists of, each part a range of an index. */
function partsOf({ member, kinds }: Viewed): Sql[] {
  if (kinds === undefined) return [raw('true')];
  if (member === null) {
    if (kinds.length === changeKinds.length) return [raw('c.op is not null')];
    return kinds.map((kind) => raw(`c.kind = '${kind}' and c.op is not null`));
  }
  const shared = kinds.map((kind) => raw(`c.user_id is null and c.kind = '${kind}' and c.member_op is not null`));
  const own = sql`c.user_id = ${member}::uuid and c.kind = 'subscription' and c.member_op is not null`;
  return kinds.includes('subscription') ? [...shared, own] : shared;
}

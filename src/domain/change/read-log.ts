import { type RawBuilder, sql } from 'kysely';
import { isoTimestamp } from '#input-values';
import { type Moment, momentOf, type Numbered, type Place, tail } from '#log-places';
import { empty, shaped } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import { plannedOnce } from '../../engine/planner.ts';
import { type ChangeKind, type ChangeOp, type ChangeRow, changeKinds } from './change.table.ts';

/** A change as it is stored, for all views. */
export interface StoredChange extends Omit<ChangeRow, 'op'>, Numbered {
  op: ChangeOp | null;
  member_op: ChangeOp | null;
  user_id: string | null;
}

/** Whose changes are read. */
export interface ChangeView {
  organizationId: string;
  /** Null for managers, who see everything. */
  member: string | null;
  kinds: readonly ChangeKind[];
}

/** A view, or all views of an organization. */
export type Viewed = ChangeView | { organizationId: string; member?: never; kinds?: never };

/** Where the log of an organization begins, if later than the organization. */
export interface Floor {
  seq: number;
  updated_at: string;
}

/** What a restore did to the log (`LogRestore`), with times in Unix seconds. */
export interface Restore {
  at: number;
  marked: boolean;
  newest_at: number | null;
  gap: number | null;
}

/** What one statement reads: a snapshot, and the changes that are visible in it. */
export interface LogReading {
  rows: StoredChange[];
  moment: Moment;
  floor: Floor | null;
  /** The end of the id of the change at the height of the place, if it exists. */
  known: string | null;
  restores: readonly Restore[];
}

/**
 * The snapshot of a statement, and how many transactions from its `xmax` on had begun: see {@link momentOf}. Not within a
 * transaction that has a number: `age` would count from that number (note 0058).
 */
export const snapshotSql: RawBuilder<unknown> = sql.raw(
  `pg_current_snapshot()::text as snapshot, age(pg_snapshot_xmax(pg_current_snapshot())::xid) as ahead`,
);

/** @throws Error if `db` is a transaction, where {@link snapshotSql} would be wrong */
export function requireNoTransaction(db: Database): void {
  if ('em' in db) throw new Error('the log of changes cannot be read within a transaction');
}

/**
 * How many changes are read. Part of the text: for a limit that is a parameter, PostgreSQL expects a tenth of the log and plans each
 * page again. Only a few, so that connections keep few statements.
 */
const limits = [11, 51, 101, 201];

/** Reads at least `least` changes that follow a place, or all of them, in one snapshot. */
export async function readLog(db: Database, view: Viewed, place: Place, least: number): Promise<LogReading> {
  requireNoTransaction(db);
  const shape = shapeOf(view, place, least);
  const statement = shaped(`log ${JSON.stringify(shape)}`, valuesOf(view, place), (at) => logSql(shape, at));
  const [first, ...changes] = await db.rows(statement, plannedOnce);
  if (!first?.head) throw new Error('a select without a table returned no row');
  const { snapshot, ahead, floor, known, restores } = first.head;
  return {
    moment: momentOf(snapshot, ahead),
    floor: floor && { ...floor, updated_at: isoTimestamp(floor.updated_at) },
    known: known && tail(known),
    restores: restores ?? [],
    rows: changes.map(storedOf),
  };
}

/** What the text of the statement depends on; `late`: whether the reader is among changes that were committed late. */
const shapeOf = ({ kinds, member }: Viewed, place: Place, least: number) => ({
  ...{ kinds, ofMember: member != null, late: place.late !== null, waits: waitsForOthers(place) },
  limit: limits.find((each) => each >= least) ?? Math.ceil(least),
});
type Shape = ReturnType<typeof shapeOf>;

const valuesOf = ({ organizationId, member = null }: Viewed, { height, moment, late }: Place) => ({
  ...{ organizationId, member, height, last: late?.last ?? null },
  ...{ open: moment.open.map(String), from: moment.from, to: moment.to },
  laterOpen: late?.moment.open.map(String) ?? null,
  ...{ laterFrom: late && String(late.moment.from), laterTo: late && String(late.moment.to) },
});
type Values = ReturnType<typeof valuesOf>;

// the head is a row: as columns of each change it would take longer to read than the change
function logSql(shape: Shape, at: Values): RawBuilder<LogRow> {
  const limit = sql.raw(`limit ${shape.limit}`);
  const organization = sql`organization_id = ${at.organizationId}::uuid`;
  return sql`select json_build_object('snapshot', s.snapshot, 'ahead', s.ahead,
        'floor', (select json_build_object('seq', seq, 'updated_at', updated_at) from change_floor where ${organization}),
        'known', (select id from change where ${organization} and seq = ${at.height}::bigint),
        'restores', (select json_agg(json_build_object('at', floor(extract(epoch from at)), 'marked', marked,
          'newest_at', floor(extract(epoch from newest_at)), 'gap', gap)) from log_restore)) as head,
      ${sql.raw(names.map((name) => `null as ${name}`).join())}
    from (select ${snapshotSql}) s
    union all
    select null, r.* from (select * from (${rowsSql(shape, at, limit)}) merged order by seq ${limit}) r
    order by seq nulls first`;
}

const names = [
  ...['seq', 'x', 'id', 'kind', 'op', 'member_op', 'object_id', 'event_id', 'user_id', 'version', 'actor_id'],
  'occurred_at',
];
const columns = sql.raw(names.map((name) => `c.${name}`).join());

interface LogRow extends StoredChange {
  head: ({ snapshot: string; ahead: number; restores: Restore[] | null } & Pick<LogReading, 'floor' | 'known'>) | null;
}

function storedOf(row: LogRow): StoredChange {
  const { seq, x, occurred_at } = row;
  return Object.assign(row, { seq: Number(seq), x: Number(x), occurred_at: isoTimestamp(occurred_at) });
}

/** The changes that follow a place: those above it, and those below it that were not committed yet. */
function rowsSql(shape: Shape, at: Values, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  const { late, ofMember, waits } = shape;
  const parts = partsOf(shape, at);
  const select = sql`select ${columns} from change c where c.organization_id = ${at.organizationId}::uuid`;
  const next = sql`and (c.x, c.organization_id, c.seq) > (w.x, ${at.organizationId}::uuid, ${at.last}::bigint)`;
  // one transaction at a time, and row-wise in the order of their index: with ranges, a kept plan may search the whole log
  const below = sql`(select late.* from ${writersSql(shape, at)} w cross join lateral (
      ${select} and c.x = w.x and (${sql.join(parts, sql.raw(' or '))}) and c.seq <= ${at.height}::bigint
        ${late ? next : empty} order by c.seq ${limit}) late)`;
  if (late) return below;
  // by user first: only the index of members has this order, and that of kinds would return the rows of all users
  const order = sql.raw(ofMember ? 'c.user_id, c.seq' : 'c.seq');
  const above = parts.map(
    (part) => sql`(${select} and ${part} and c.seq > ${at.height}::bigint order by ${order} ${limit})`,
  );
  return sql.join(waits ? [...above, below] : above, sql.raw(' union all '));
}

/** Whether transactions that were not over may still write below a place. */
export function waitsForOthers({ moment: { open, from, to }, late }: Pick<Place, 'moment' | 'late'>): boolean {
  return late !== null || open.length > 0 || from < to;
}

/**
 * The transactions that were not over at a moment, without those that were not over at a later one either. In subqueries, which hide
 * their number from PostgreSQL: it would otherwise find a plan for this number cheaper than the kept one, and plan each page again.
 */
function writersSql({ late }: Shape, at: Values): RawBuilder<unknown> {
  const still = late
    ? sql`where not (x = any(${at.laterOpen}::xid8[]) or (x >= ${at.laterFrom}::xid8 and x < ${at.laterTo}::xid8))`
    : empty;
  return sql`(select x from (select unnest((select ${at.open}::xid8[])) as x
      union all select generate_series((select ${at.from}::bigint), (select ${at.to}::bigint - 1))::text::xid8) began ${still})`;
}

/** The conditions of a view, each a range of an index; the same rule as `sees`. */
function partsOf({ ofMember, kinds }: Shape, at: Values): RawBuilder<unknown>[] {
  if (kinds === undefined) return [sql.raw('true')];
  if (!ofMember) {
    if (kinds.length === changeKinds.length) return [sql.raw('c.op is not null')];
    return kinds.map((kind) => sql.raw(`c.kind = '${kind}' and c.op is not null`));
  }
  const shared = kinds.map((kind) => sql.raw(`c.user_id is null and c.kind = '${kind}' and c.member_op is not null`));
  const own = sql`c.user_id = ${at.member}::uuid and c.kind = 'subscription' and c.member_op is not null`;
  return kinds.includes('subscription') ? [...shared, own] : shared;
}

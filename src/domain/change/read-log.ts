import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { isoTimestamp } from '../../kernel/scalars.ts';
import { type ChangeKind, type ChangeOp, type ChangeRow, changeKinds } from './change.table.ts';
import { type Moment, momentOf, type Numbered, type Place, tail } from './place.ts';

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
export const snapshotSql: Sql = raw(
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
  const limit = raw(`limit ${limits.find((each) => each >= least) ?? Math.ceil(least)}`);
  const organization = sql`organization_id = ${view.organizationId}::uuid`;
  // the head is a row: as columns of each change it would take longer to read than the change
  const [first, ...changes] = await db.rows<LogRow>(
    sql`select json_build_object('snapshot', s.snapshot, 'ahead', s.ahead,
          'floor', (select json_build_object('seq', seq, 'updated_at', updated_at) from change_floor where ${organization}),
          'known', (select id from change where ${organization} and seq = ${place.height}::bigint),
          'restores', (select json_agg(json_build_object('at', floor(extract(epoch from at)), 'marked', marked,
            'newest_at', floor(extract(epoch from newest_at)), 'gap', gap)) from log_restore)) as head,
        ${raw(names.map((name) => `null as ${name}`).join())}
      from (select ${snapshotSql}) s
      union all
      select null, r.* from (select * from (${rowsSql(view, place, limit)}) merged order by seq ${limit}) r
      order by seq nulls first`,
    { prepared: 'planned once' },
  );
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

const names = [
  ...['seq', 'x', 'id', 'kind', 'op', 'member_op', 'object_id', 'event_id', 'user_id', 'version', 'actor_id'],
  'occurred_at',
];
const columns = raw(names.map((name) => `c.${name}`).join());

interface LogRow extends StoredChange {
  head: ({ snapshot: string; ahead: number; restores: Restore[] | null } & Pick<LogReading, 'floor' | 'known'>) | null;
}

function storedOf({ head: _head, ...row }: LogRow): StoredChange {
  return { ...row, seq: Number(row.seq), x: Number(row.x), occurred_at: isoTimestamp(row.occurred_at) };
}

/** The changes that follow a place: those above it, and those below it that were not committed yet. */
function rowsSql(view: Viewed, { height, moment, late }: Place, limit: Sql): Sql {
  const parts = partsOf(view);
  const select = sql`select ${columns} from change c where c.organization_id = ${view.organizationId}::uuid`;
  // one transaction at a time, and row-wise in the order of their index: with ranges, a kept plan may search the whole log
  const below = sql`(select late.* from ${writersSql(moment, late?.moment ?? null)} w cross join lateral (
      ${select} and c.x = w.x and (${join(parts, ' or ')}) and c.seq <= ${height}::bigint
        ${late ? sql`and (c.x, c.organization_id, c.seq) > (w.x, ${view.organizationId}::uuid, ${late.last}::bigint)` : empty} order by c.seq ${limit}) late)`;
  if (late) return below;
  // by user first: only the index of members has this order, and that of kinds would return the rows of all users
  const order = view.member == null ? raw('c.seq') : raw('c.user_id, c.seq');
  const above = parts.map(
    (part) => sql`(${select} and ${part} and c.seq > ${height}::bigint order by ${order} ${limit})`,
  );
  return join(waitsForOthers({ moment, late }) ? [...above, below] : above, ' union all ');
}

/** Whether transactions that were not over may still write below a place. */
export function waitsForOthers({ moment: { open, from, to }, late }: Pick<Place, 'moment' | 'late'>): boolean {
  return late !== null || open.length > 0 || from < to;
}

/**
 * The transactions that were not over at a moment, without those that were not over at a later one either. In subqueries, which hide
 * their number from PostgreSQL: it would otherwise find a plan for this number cheaper than the kept one, and plan each page again.
 */
function writersSql({ open, from, to }: Moment, later: Moment | null): Sql {
  const still = later
    ? sql`where not (x = any(${later.open.map(String)}::xid8[])
        or (x >= ${String(later.from)}::xid8 and x < ${String(later.to)}::xid8))`
    : empty;
  return sql`(select x from (select unnest((select ${open.map(String)}::xid8[])) as x
      union all select generate_series((select ${from}::bigint), (select ${to}::bigint - 1))::text::xid8) began ${still})`;
}

/** The conditions of a view, each a range of an index; the same rule as `sees`. */
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

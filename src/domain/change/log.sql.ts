import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { isoTimestamp } from '../../kernel/scalars.ts';
import { changeKinds } from './change.table.ts';
import type { ChangeView, StoredChange } from './change-view.ts';
import { type Moment, momentOf, type Place, tail } from './place.ts';

/** What one statement reads: a snapshot, and the changes that are visible in it. */
export interface LogReading {
  rows: StoredChange[];
  moment: Moment;
  floor: Floor | null;
  /** The end of the id of the newest change that the place knows, if it is there. */
  known: string | null;
  restores: readonly Restore[];
}

/** What a restore did to the log (`LogRestore`), with times in Unix seconds. */
export interface Restore {
  at: number;
  marked: boolean;
  newest_at: number | null;
  gap: number | null;
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

/**
 * How many changes are read. Part of the text: for a limit that it does not know PostgreSQL expects a tenth of the log, and plans
 * each page anew. Only these, so that connections keep few statements.
 */
const limits = [11, 51, 101, 201];

/** Reads at least `least` changes that follow a place, or all; in one statement and so in one snapshot, outside of transactions. */
export async function readLog(db: Database, view: Viewed, place: Place, least: number): Promise<LogReading> {
  requireNoTransaction(db);
  const limit = raw(`limit ${limits.find((each) => each >= least) ?? Math.ceil(least)}`);
  const { organizationId } = view;
  const nothing = columnsOf(view)
    .map(({ name }) => `null as ${name}`)
    .join();
  // what holds for the whole page comes in a row of its own: a value of each row takes longer than reading the row
  const rows = await db.rows<LogRow>(
    sql`select array[s.snapshot, s.ahead::text, floor.seq::text, floor.updated_at::text, known.id::text, ${restoresSql}] as head,
        ${raw(nothing)}
      from (select ${snapshotSql}) s
      left join change_floor floor on floor.organization_id = ${organizationId}::uuid
      left join change known on known.organization_id = ${organizationId}::uuid and known.seq = ${place.height}::bigint
      union all
      select null, r.* from (select * from (${rowsSql(view, place, limit)}) merged order by seq ${limit}) r
      order by seq nulls first`,
    { prepared: 'planned once' },
  );
  const [first, ...changes] = rows;
  if (!first?.head) throw new Error('a select without a table returned no row');
  const [snapshot, ahead, seq, updatedAt, known, restores] = first.head;
  return {
    moment: momentOf(snapshot as string, Number(ahead)),
    floor: seq == null ? null : { seq: Number(seq), updated_at: isoTimestamp(updatedAt as string) },
    known: known == null ? null : tail(known),
    restores: restores == null ? [] : JSON.parse(restores),
    rows: changes.map((row) => storedOf(row, view)),
  };
}

const restoresSql = raw(`(select json_agg(json_build_object('at', floor(extract(epoch from at)), 'marked', marked,
  'newest_at', floor(extract(epoch from newest_at)), 'gap', gap))::text from log_restore)`);

/** The columns that a view shows; of its members, `op` is theirs. The holder and both operations are for all views at once. */
function columnsOf({ member, kinds }: Viewed): { name: string; sql: string }[] {
  const shown = ['seq', 'x', 'id', 'kind', 'op', 'object_id', 'event_id', 'version', 'actor_id', 'occurred_at'];
  const names = kinds === undefined ? [...shown, 'member_op', 'user_id'] : shown;
  return names.map((name) => ({ name, sql: name === 'op' && member != null ? 'c.member_op' : `c.${name}` }));
}

/** A row of the statement: a change, or what holds for the page. */
interface LogRow extends StoredChange {
  head: (string | null)[] | null;
}

function storedOf(row: LogRow, { member, kinds }: Viewed): StoredChange {
  const isShared = kinds === undefined;
  return {
    seq: Number(row.seq),
    x: Number(row.x),
    id: row.id,
    kind: row.kind,
    op: row.op,
    member_op: isShared ? row.member_op : row.op,
    object_id: row.object_id,
    event_id: row.event_id,
    user_id: isShared ? row.user_id : (member ?? null),
    version: row.version,
    actor_id: row.actor_id,
    occurred_at: isoTimestamp(row.occurred_at),
  };
}

/** A select of the changes that follow a place: those above it, and those below it that were not committed yet. */
function rowsSql(view: Viewed, { height, moment, late }: Place, limit: Sql): Sql {
  const parts = partsOf(view);
  const columns = raw(
    columnsOf(view)
      .map((column) => column.sql)
      .join(),
  );
  const select = sql`select ${columns} from change c where c.organization_id = ${view.organizationId}::uuid`;
  // One transaction at a time, and from a row in the order of their index: with ranges of transactions or of numbers a plan that is
  // kept may search the whole log instead.
  const below = sql`(select late.* from ${writersSql(moment, late?.moment ?? null)} w cross join lateral (
      ${select} and c.x = w.x and (${join(parts, ' or ')}) and c.seq <= ${height}::bigint
        ${late ? sql`and (c.x, c.organization_id, c.seq) > (w.x, ${view.organizationId}::uuid, ${late.last}::bigint)` : empty} order by c.seq ${limit}) late)`;
  if (late) return below;
  // by user first: only the index of members has this order, and that of kinds would bring those of all users
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
 * The transactions that were not over at a moment, without those that were not over at a later one either. In subqueries, so that
 * PostgreSQL never knows how many there are: a plan for those at hand looks cheaper than the one that is kept, and it would plan
 * each page anew.
 */
function writersSql({ open, from, to }: Moment, later: Moment | null): Sql {
  const still = later
    ? sql`where not (x = any(${later.open.map(String)}::xid8[])
        or (x >= ${String(later.from)}::xid8 and x < ${String(later.to)}::xid8))`
    : empty;
  return sql`(select x from (select unnest((select ${open.map(String)}::xid8[])) as x
      union all select generate_series((select ${from}::bigint), (select ${to}::bigint - 1))::text::xid8) began ${still})`;
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

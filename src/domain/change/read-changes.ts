import { createHash } from 'node:crypto';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isoTimestamp } from '../../kernel/scalars.ts';
import { type ChangeKind, type ChangeOp, type ChangeRow, changeKinds } from './change.table.ts';
import { type Moment, momentOf, type Numbered, type Place, placeAfter, start, tail, wasOver } from './place.ts';

/** A change as it is stored, for all views. */
export interface StoredChange extends Omit<ChangeRow, 'op'>, Numbered {
  op: ChangeOp | null;
  member_op: ChangeOp | null;
  user_id: string | null;
}

/** Whose changes are read. */
export interface ChangeView {
  organizationId: string;
  /** The member who reads; null for managers, who see everything. */
  member: string | null;
  kinds: readonly ChangeKind[];
}

/** Whether a view contains a change: the same rule as the condition of its statement. */
export function sees(view: ChangeView, { kind, op, member_op: memberOp, user_id: holder }: StoredChange): boolean {
  if (!view.kinds.includes(kind)) return false;
  return view.member === null ? op !== null : memberOp !== null && (holder === null || holder === view.member);
}

/** A change as a view that contains it shows it. */
export function changeFor({ member }: ChangeView, row: StoredChange): ChangeRow {
  const { id, kind, object_id, event_id, version, actor_id, occurred_at } = row;
  const op = (member === null ? row.op : row.member_op) as ChangeOp;
  const isGone = op === 'hidden' || op === 'deleted';
  return { id, kind, op, object_id, event_id, version: isGone ? null : version, actor_id, occurred_at };
}

/** A change, the moment at which it was read, and the place of a reader who has read it. */
export interface ReadChange {
  row: StoredChange;
  moment: Moment;
  place: Place;
}

export interface ChangePage {
  items: ReadChange[];
  /** Where to read on. */
  next: Place;
  /** Whether anything is behind `next` now. */
  hasMore: boolean;
}

export interface ReadChangesOptions {
  /** Null: from the beginning. */
  place: Place | null;
  limit: number;
  now: Date;
  /** For how many days changes are kept. */
  retentionDays: number;
}

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

/** Milliseconds after which reading is tried again if it failed, or if there is more but nothing can be read yet. */
export const pause = 1_000;

/** The place before the first change. */
const beginning: Place = {
  ...{ height: start, moment: { open: [], from: 0, to: 0 }, late: null },
  ...{ newest: '', at: 0, caughtUp: false },
};

/**
 * The next changes of an organization, for one view or for all of them. Everything that was committed is read once, whatever
 * order it was committed in, and the changes of one object in their order (note 0058). Only the primary knows which transactions
 * are open; `db` must not be a transaction that writes.
 *
 * @throws DomainError CURSOR_EXPIRED if the log no longer has everything that follows the place
 */
export async function readChanges(db: Database, view: Viewed, options: ReadChangesOptions): Promise<ChangePage> {
  const items: ReadChange[] = [];
  if (options.place) requireYoung(options.place, options);
  let place = { ...(options.place ?? beginning), at: secondsOf(options.now) };
  while (true) {
    const room = options.limit - items.length;
    const isLate = place.late !== null;
    const reading = await readLog(db, view, place, room + 1);
    requireKept({ ...place, at: options.place?.at ?? 0 }, reading);
    const moment = place.late?.moment ?? reading.moment;
    const rows = [...refetches(view, place, reading.floor), ...reading.rows];
    // only if the moment does not name all open transactions
    const end = rows.findIndex(({ seq, x }) => seq > 0 && !wasOver(moment, x));
    const readable = end < 0 ? rows : rows.slice(0, end);
    for (const row of readable.slice(0, room)) {
      place = placeAfter(place, moment, row);
      items.push({ row, moment, place });
    }
    if (readable.length > room || end >= 0) return { items, next: place, hasMore: true };
    if (!isLate) {
      // with the beginning of the log, all that is deleted has been read: its time is only compared by whole seconds
      const height = place.height < 0 ? (reading.floor?.seq ?? 0) : place.height;
      return { items, next: placeNow({ ...place, height }, reading.moment, options.now), hasMore: false };
    }
    // all that was late at that moment is read; what has been committed since follows
    place = { ...place, moment, late: null };
  }
}

/** The place of a reader who has read everything, and will read what comes from now on; asked outside of transactions. */
export async function placeAtEnd(db: Database, organizationId: string, now: Date): Promise<Place> {
  requireNoTransaction(db);
  const row = await db.row<Record<'snapshot' | 'seq' | 'id' | 'floor', string | null> & { ahead: number }>(
    sql`select ${snapshotSql}, newest.seq, newest.id, floor.seq as floor from (select 1) one
      left join change_floor floor on floor.organization_id = ${organizationId}::uuid
      left join lateral (select seq, id from change where organization_id = ${organizationId}::uuid order by seq desc limit 1)
        newest on true`,
    { prepared: 'planned once' },
  );
  if (!row) throw new Error('a select without a table returned no row');
  const place = { ...beginning, height: Number(row.seq ?? row.floor ?? 0), newest: row.id ? tail(row.id) : '' };
  return placeNow(place, momentOf(row.snapshot as string, row.ahead), now);
}

/** The place of a reader at `place` who has read everything that was committed by a moment. */
export function placeNow(place: Place, moment: Moment, now: Date): Place {
  return { ...place, height: Math.max(place.height, 0), moment, late: null, at: secondsOf(now), caughtUp: true };
}

/** The time of a place. */
export const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);

/** @throws DomainError CURSOR_EXPIRED */
function requireYoung({ at }: Place, { now, retentionDays }: ReadChangesOptions): void {
  if (at * 1000 < now.getTime() - retentionDays * 86_400_000) throw expired('The cursor is too old.');
}

/** @throws DomainError CURSOR_EXPIRED if changes that follow the place were deleted, or the database was restored */
function requireKept(place: Place, { floor, known, restores }: LogReading): void {
  const { height, late, newest, caughtUp, at } = place;
  if (height === start) return;
  if (height < 0) {
    if (newest !== markOf(floor)) throw expired('The log of changes has been shortened.');
    return;
  }
  const kept = floor?.seq ?? 0;
  // of what is deleted, a place that was caught up has read what is older; a retention that was raised may lack what is younger
  const hadReadIt = caughtUp && floor !== null && Date.parse(floor.updated_at) < at * 1000;
  if (!hadReadIt && (late?.last ?? height) < kept) throw expired('The changes that follow are not kept any more.');
  const isLost = height > kept && known !== newest;
  if (isLost || restores.some((restore) => mayLack(restore, place))) throw expired('The database has been restored.');
}

/** Seconds by which the clocks of the service and of the database may differ. */
const clockDifference = 5;

/** Whether a place from before a restore may know, or wait for, what is not found any more, although its newest change is there. */
function mayLack({ at, marked, newest_at: newestAt, gap }: Restore, place: Place): boolean {
  if (place.at >= at) return false;
  // a transaction that had a number of another cluster
  if (marked && waitsForOthers(place)) return true;
  // what one that was not over at the time of the restore committed after it, below the newest
  return gap !== null && place.height >= gap && place.at + clockDifference >= (newestAt ?? 0);
}

function expired(reason: string): DomainError {
  return new DomainError('CURSOR_EXPIRED', { detail: `${reason} Begin with \`since=now\`, then read the lists.` });
}

/**
 * What a log that does not reach back to the beginning of its organization begins with: for each kind, that the lists have to
 * be read. These entries are not stored; their numbers lie before the first one.
 */
function refetches({ organizationId, kinds }: Viewed, { height }: Place, floor: Floor | null): StoredChange[] {
  if (height >= 0 || !floor || kinds === undefined) return [];
  return changeKinds.flatMap((kind, index) => {
    const seq = start + 1 + index;
    if (seq <= height || !kinds.includes(kind)) return [];
    const id = refetchId(organizationId, kind, floor);
    const nothing = { object_id: null, event_id: null, user_id: null, version: null, actor_id: null };
    const ops = { op: 'refetch', member_op: 'refetch' } as const;
    return [{ seq, x: 0, id, kind, ...ops, ...nothing, occurred_at: floor.updated_at }];
  });
}

/** The id of such an entry: a UUIDv7 that ends with the number where the log begins, so that a place recognizes the log. */
function refetchId(organizationId: string, kind: ChangeKind, floor: Floor): string {
  const time = Date.parse(floor.updated_at).toString(16).padStart(12, '0');
  const mark = createHash('sha256').update(`${organizationId} ${kind}`).digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${mark.slice(0, 3)}-a${mark.slice(3, 6)}-${markOf(floor)}`;
}

function markOf(floor: Floor | null): string {
  return (floor?.seq ?? 0).toString(16).padStart(12, '0');
}

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
 * each page again. Only these, so that connections keep few statements.
 */
const limits = [11, 51, 101, 201];

/** Reads at least `least` changes that follow a place, or all; in one statement and so in one snapshot, outside of transactions. */
export async function readLog(db: Database, view: Viewed, place: Place, least: number): Promise<LogReading> {
  requireNoTransaction(db);
  const limit = raw(`limit ${limits.find((each) => each >= least) ?? Math.ceil(least)}`);
  const { organizationId } = view;
  // what holds for the whole page comes in a row of its own: a value of each row takes longer than reading the row
  const rows = await db.rows<LogRow>(
    sql`select array[s.snapshot, s.ahead::text, floor.seq::text, floor.updated_at::text, known.id::text, ${restoresSql}] as head,
        ${raw(names.map((name) => `null as ${name}`).join())}
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
    rows: changes.map((row) => storedOf(row)),
  };
}

const restoresSql = raw(`(select json_agg(json_build_object('at', floor(extract(epoch from at)), 'marked', marked,
  'newest_at', floor(extract(epoch from newest_at)), 'gap', gap))::text from log_restore)`);

/** The columns of a change. */
const names = [
  ...['seq', 'x', 'id', 'kind', 'op', 'member_op', 'object_id', 'event_id', 'user_id', 'version', 'actor_id'],
  'occurred_at',
];
const columns = raw(names.map((name) => `c.${name}`).join());

/** A row of the statement: a change, or what holds for the page. */
interface LogRow extends StoredChange {
  head: (string | null)[] | null;
}

function storedOf({ head: _head, ...row }: LogRow): StoredChange {
  return { ...row, seq: Number(row.seq), x: Number(row.x), occurred_at: isoTimestamp(row.occurred_at) };
}

/** A select of the changes that follow a place: those above it, and those below it that were not committed yet. */
function rowsSql(view: Viewed, { height, moment, late }: Place, limit: Sql): Sql {
  const parts = partsOf(view);
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
 * each page again.
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

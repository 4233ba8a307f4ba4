import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Moment, momentOf, type Place, placeAfter, start, tail, wasOver } from '#log-places';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import { plannedOnce } from '../../engine/planner.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type ChangeKind, type ChangeOp, type ChangeRow, changeKinds } from './change.table.ts';
import {
  type ChangeView,
  type Floor,
  type LogReading,
  type Restore,
  readLog,
  requireNoTransaction,
  type StoredChange,
  snapshotSql,
  type Viewed,
  waitsForOthers,
} from './read-log.ts';

/** Whether a view contains a change: the same rule as the conditions of {@link readLog}. */
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
  next: Place;
  /** Whether anything follows `next` now. */
  hasMore: boolean;
}

export interface ReadChangesOptions {
  /** Null: from the beginning. */
  place: Place | null;
  limit: number;
  now: Date;
  retentionDays: number;
}

/** Milliseconds until the next attempt after a failure, or while more exists that cannot be read yet. */
export const pause = 1_000;

const beginning: Place = {
  ...{ height: start, moment: { open: [], from: 0, to: 0 }, late: null },
  ...{ newest: '', at: 0, caughtUp: false },
};

/**
 * The next changes of an organization, for one view or for all of them. Every committed change is read once, in whatever order they
 * were committed, and changes of one object in their order (note 0058). Outside of transactions, and on the primary: only it knows
 * which transactions are open.
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
    // found only if the moment does not name all open transactions
    const end = rows.findIndex(({ seq, x }) => seq > 0 && !wasOver(moment, x));
    const readable = end < 0 ? rows : rows.slice(0, end);
    for (const row of readable.slice(0, room)) {
      place = placeAfter(place, moment, row);
      items.push({ row, moment, place });
    }
    if (readable.length > room || end >= 0) return { items, next: place, hasMore: true };
    if (!isLate) {
      // the reader has also read the deleted changes: the time of the floor is only compared by whole seconds
      const height = place.height < 0 ? (reading.floor?.seq ?? 0) : place.height;
      return { items, next: placeNow({ ...place, height }, reading.moment, options.now), hasMore: false };
    }
    // everything that was late at that moment has been read; continue with later commits
    place = { ...place, moment, late: null };
  }
}

const endOf = prepared(
  (at: { organizationId: string }) => sql<
    Record<'snapshot' | 'seq' | 'id' | 'floor', string | null> & { ahead: number }
  >`select ${snapshotSql}, newest.seq, newest.id, floor.seq as floor from (select 1) one
    left join change_floor floor on floor.organization_id = ${at.organizationId}::uuid
    left join lateral (select seq, id from change where organization_id = ${at.organizationId}::uuid order by seq desc limit 1)
      newest on true`,
);

/** The place of a reader who has read everything so far. Outside of transactions. */
export async function placeAtEnd(db: Database, organizationId: string, now: Date): Promise<Place> {
  requireNoTransaction(db);
  const row = await db.row(endOf({ organizationId }), plannedOnce);
  if (!row) throw new Error('a select without a table returned no row');
  const place = { ...beginning, height: Number(row.seq ?? row.floor ?? 0), newest: row.id ? tail(row.id) : '' };
  return placeNow(place, momentOf(row.snapshot as string, row.ahead), now);
}

/** The place of a reader at `place` who has read everything that was committed by a moment. */
export function placeNow(place: Place, moment: Moment, now: Date): Place {
  return { ...place, height: Math.max(place.height, 0), moment, late: null, at: secondsOf(now), caughtUp: true };
}

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
  // a caught-up cursor has read everything older than the deleted changes; if retention was raised, newer changes may be missing
  const hadReadIt = caughtUp && floor !== null && Date.parse(floor.updated_at) < at * 1000;
  if (!hadReadIt && (late?.last ?? height) < kept) throw expired('The changes that follow are not kept any more.');
  const isLost = height > kept && known !== newest;
  if (isLost || restores.some((restore) => mayLack(restore, place))) throw expired('The database has been restored.');
}

/** Seconds by which the clocks of the service and of the database may differ. */
const clockDifference = 5;

/** Whether a place from before a restore may include, or wait for, lost changes although its newest one was restored. */
function mayLack({ at, marked, newest_at: newestAt, gap }: Restore, place: Place): boolean {
  if (place.at >= at) return false;
  // it waits for transactions by their numbers in another cluster
  if (marked && waitsForOthers(place)) return true;
  // a transaction that was open at the time of the backup may have committed after it, below the newest change
  return gap !== null && place.height >= gap && place.at + clockDifference >= (newestAt ?? 0);
}

function expired(reason: string): DomainError {
  return new DomainError('CURSOR_EXPIRED', { detail: `${reason} Begin with \`since=now\`, then read the lists.` });
}

/**
 * The first entries of a log that begins later than its organization: for each kind, that the lists have to be read. They are not
 * stored; their numbers are negative.
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

/** A UUIDv7 that ends with the number where the log begins, by which a place recognizes the log. */
function refetchId(organizationId: string, kind: ChangeKind, floor: Floor): string {
  const time = Date.parse(floor.updated_at).toString(16).padStart(12, '0');
  const mark = createHash('sha256').update(`${organizationId} ${kind}`).digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${mark.slice(0, 3)}-a${mark.slice(3, 6)}-${markOf(floor)}`;
}

function markOf(floor: Floor | null): string {
  return (floor?.seq ?? 0).toString(16).padStart(12, '0');
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import { lowestId } from '../../engine/position.ts';
import { tables } from '../tables/tables.ts';

/** The first ordinary transaction number, which is over in every snapshot. */
const longOver = '3';

/** How many changes one statement marks, well within the statement timeout. */
const batchSize = 5_000;

/** Written by another cluster: this one has not reached these transaction numbers yet. */
const foreign = sql<boolean>`x >= pg_snapshot_xmax(pg_current_snapshot())`;

type Key = Record<'x' | 'organization_id' | 'seq', string>;

/** Among how many of the newest changes, and from which time, gaps are looked for that transactions left which were not over. */
const [newest, longestCommit] = [2_000, sql`interval '2 minutes'`];

interface RestoreOptions {
  now: Date;
  /** Whether the operator says that there was a restore; otherwise only one from another cluster is detected. */
  told?: boolean;
  begin?: () => void;
}

/**
 * After a dump was restored into another cluster, changes have transaction numbers that this cluster has yet to reach; then they would
 * count as new. Marks those transactions as long over, and stores what older cursors depend on (note 0058). Can be interrupted, and
 * shared by several processes: each returns once everything is marked.
 *
 * @returns how many changes were marked
 */
export async function settleRestoredChanges(db: Database, { now, told, begin }: RestoreOptions): Promise<number> {
  const found = (await db.row(foreignChange({}))) !== undefined;
  if (found || told) await db.run(built(noteSql(now, found)));
  if (!found) return 0;
  begin?.();
  let marked = 0;
  do {
    const count = await markBatches(db);
    // other processes are marking the rest
    if (count === 0) await sleep(50);
    marked += count;
  } while (await db.row(foreignChange({})));
  return marked;
}

const foreignChange = prepared(() =>
  tables
    .selectFrom('change')
    .select([])
    .where(foreign)
    .orderBy('x', 'desc')
    .limit((eb) => eb.lit(1)),
);

/** Marks every change that no other process is marking. */
async function markBatches(db: Database): Promise<number> {
  let key: Key | undefined = { x: '0', organization_id: lowestId, seq: '0' };
  let marked = 0;
  while (true) {
    const batch: Key[] = await db.rows(markNext(key));
    marked += batch.length;
    key = batch.at(-1);
    if (!key) return marked;
  }
}

function noteSql(now: Date, marked: boolean): RawBuilder<unknown> {
  return sql`with newest as (select seq, occurred_at from change order by x desc limit ${newest}),
    recent as (select seq, lag(seq) over (order by seq) as before from newest
      where occurred_at > (select max(occurred_at) from newest) - ${longestCommit})
    insert into log_restore (at, marked, newest_at, gap)
    select ${now.toISOString()}::timestamptz, ${marked}, (select max(occurred_at) from newest),
      (select min(before) + 1 from recent where seq > before + 1)
    on conflict do nothing`;
}

/** In the order of the index, after the last batch: before it are only dead rows. */
const markNext = prepared(
  (at: Key) => sql<Key>`with batch as materialized (select x, organization_id, seq from change
      where ${foreign} and (x, organization_id, seq) > (${at.x}::xid8, ${at.organization_id}::uuid, ${at.seq}::bigint)
      order by x, organization_id, seq limit ${batchSize} for update skip locked),
    marked as (update change c set x = ${longOver}::xid8 from batch b where (c.organization_id, c.seq) = (b.organization_id, b.seq))
    select x, organization_id, seq from batch order by x, organization_id, seq`,
);

import { setTimeout as sleep } from 'node:timers/promises';
import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';

/** A transaction that is over in every snapshot: the first that is not special to PostgreSQL. */
const longOver = '3';

/** How many changes are marked in one statement, which must end well within the time that statements have. */
const batchSize = 5_000;

/** Transactions that this cluster has yet to reach. What is visible was written before the snapshot, so they are another's. */
const foreign = sql`x >= pg_snapshot_xmax(pg_current_snapshot())`;

/** The place of a change in the order of its index. */
type Key = Record<'x' | 'organization_id' | 'seq', string>;

/** How many of the newest changes, and of how long, tell which numbers a transaction had drawn that was not over. */
const [newest, longestCommit] = [2_000, sql`interval '2 minutes'`];

interface RestoreOptions {
  now: Date;
  /** Whether the operator says that there was a restore; otherwise only one from another cluster is noticed. */
  told?: boolean;
  /** Called before the first change is marked. */
  begin?: () => void;
}

/**
 * After a dump was restored into another cluster, changes have transaction numbers that this cluster has yet to reach; when it
 * does, they would be taken for new ones. Marks those transactions as long over, and notes what cursors from before have to
 * know (note 0058). What was marked stays so if this is interrupted, and several processes share the work; each returns when
 * all of it is done.
 *
 * @returns how many changes were marked
 */
export async function settleRestoredChanges(db: Database, { now, told, begin }: RestoreOptions): Promise<number> {
  const found = await hasForeign(db);
  if (found || told) await db.run(noteSql(now, found));
  if (!found) return 0;
  begin?.();
  let marked = 0;
  do {
    const count = await markBatches(db);
    // what is left is being marked by others
    if (count === 0) await sleep(50);
    marked += count;
  } while (await hasForeign(db));
  return marked;
}

async function hasForeign(db: Database): Promise<boolean> {
  return (await db.row(sql`select from change where ${foreign} order by x desc limit 1`)) !== undefined;
}

/** Marks every change that nobody else is marking. */
async function markBatches(db: Database): Promise<number> {
  let key: Key | undefined = { x: '0', organization_id: '00000000-0000-0000-0000-000000000000', seq: '0' };
  let marked = 0;
  while (true) {
    const batch: Key[] = await db.rows<Key>(batchSql(key));
    marked += batch.length;
    key = batch.at(-1);
    if (!key) return marked;
  }
}

function noteSql(now: Date, marked: boolean): Sql {
  return sql`with newest as (select seq, occurred_at from change order by x desc limit ${newest}),
    recent as (select seq, lag(seq) over (order by seq) as before from newest
      where occurred_at > (select max(occurred_at) from newest) - ${longestCommit})
    insert into log_restore (at, marked, newest_at, gap)
    select ${now.toISOString()}::timestamptz, ${marked}, (select max(occurred_at) from newest),
      (select min(before) + 1 from recent where seq > before + 1)
    on conflict do nothing`;
}

/** In the order of the index, and on from the last batch: behind it are only the dead rows of that one. */
function batchSql({ x, organization_id, seq }: Key): Sql {
  return sql`with batch as materialized (select x, organization_id, seq from change
      where ${foreign} and (x, organization_id, seq) > (${x}::xid8, ${organization_id}::uuid, ${seq}::bigint)
      order by x, organization_id, seq limit ${batchSize} for update skip locked),
    marked as (update change c set x = ${longOver}::xid8 from batch b where (c.organization_id, c.seq) = (b.organization_id, b.seq))
    select x, organization_id, seq from batch order by x, organization_id, seq`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

/** The advisory lock of the process that migrates. */
const lock = 7_105_118_102;
/** Milliseconds between two attempts to take it. */
const interval = 250;

export interface MigrationLockOptions {
  /** Milliseconds to wait for another process. */
  patience: number;
  /** Called once if another process holds the lock. */
  onWait: (message: string) => void;
}

/**
 * Runs `use` while no other process migrates this database. The lock belongs to a transaction, so that it ends with the
 * connection even behind a pooler. Waiting processes poll: a blocked statement would hold a snapshot, for which
 * `create index concurrently` would wait.
 *
 * @param use calls `verify` before each step; it fails if the lock was lost with its connection
 * @throws Error that names the other process, if it takes longer than `patience`
 */
export async function withMigrationLock<Result>(
  pool: Pool,
  { patience, onWait }: MigrationLockOptions,
  use: (verify: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const deadline = performance.now() + patience;
    for (let waited = false; !(await tryLock(client)); waited = true) {
      const seconds = Math.round(patience / 1000);
      if (performance.now() > deadline) {
        throw new Error(
          `Another process has been migrating this database for more than ${seconds} s${await describeHolder(client)}. ` +
            'Nothing was changed; start again when it is done.',
        );
      }
      if (!waited) onWait(`another process is migrating the database; waiting for up to ${seconds} s`);
      await sleep(interval);
    }
    const verify = async () => void (await client.query('select'));
    const result = await use(verify);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // closes the connection, which ends the transaction and the lock
    client.release(true);
    throw error;
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  await client.query('begin');
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [lock]);
  if (rows[0]?.locked) return true;
  await client.query('rollback');
  return false;
}

async function describeHolder(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; client: string | null }>(
    `select pid, host(client_addr) as client from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1
       and ((classid::bigint << 32) | objid::bigint) = $1
       and database = (select oid from pg_database where datname = current_database())`,
    [lock],
  );
  const [holder] = rows;
  if (!holder) return '';
  return ` (backend ${holder.pid} of PostgreSQL${holder.client === null ? '' : `, connected from ${holder.client}`})`;
}

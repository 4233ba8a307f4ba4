import { createOrm } from './orm.ts';

/** Names the lock that a process holds while it migrates. */
const lock = 7_105_118_102;

/**
 * Brings the schema up to date. Several replicas may start at once: one migrates, the others wait and find it done.
 * All pending migrations run in one transaction.
 *
 * @returns the names of the migrations that ran
 * @throws Error of the driver, where the database cannot be reached or a statement fails
 */
export async function migrate(url: string): Promise<string[]> {
  // connections of its own: building an index may take longer than any statement of a request may
  const orm = await createOrm({ url, poolSize: 3, statementTimeout: 0 });
  try {
    const pool = await orm.driver.getConnection().getNativeClient();
    const holder = await pool.connect();
    try {
      await holder.query('select pg_advisory_lock($1)', [lock]);
      const done = await orm.migrator.up();
      return done.map(({ name }) => name);
    } finally {
      // closed and not given back, which also gives up the lock
      holder.release(true);
    }
  } finally {
    await orm.close(true);
  }
}

import { expect, onTestFinished } from 'vitest';
import type { Orm } from '../../src/db/orm.ts';

/**
 * SQL: rows of `pg_locks` that belong to the database asked. The server runs those of other test files, too, and tables copied
 * from one template have the same OIDs there.
 */
export const ofThisDatabase = `pg_locks.database = (select oid from pg_database where datname = current_database())`;

/** How many transactions wait for a lock on a table: requests whose handlers are at work. */
export async function waitersFor(orm: Orm, table: string): Promise<number> {
  const waiting = `select 1 from pg_locks where not granted and relation = ?::regclass and ${ofThisDatabase}`;
  return (await orm.em.fork().execute(waiting, [table])).length;
}

interface Asked {
  execute(statement: string): Promise<unknown[]>;
}

/** Until so many statements of a database wait for a lock. */
export async function untilLocked(database: Asked, count = 1): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await database.execute(waiting)).length).toBe(count);
}

/** A transaction that has run a statement, and holds its locks until it is ended, at the latest with the test. */
export async function holding({ orm }: { orm: Orm }, statement: string, values: unknown[] = []) {
  const em = orm.em.fork();
  await em.begin();
  onTestFinished(async () => {
    if (em.isInTransaction()) await em.rollback();
  });
  await em.execute(statement, values);
  return em;
}

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

/**
 * SQL: rows of `pg_locks` that belong to the database asked. The server runs those of other test files, too, and tables copied
 * from one template have the same OIDs there.
 */
export const ofThisDatabase = `pg_locks.database = (select oid from pg_database where datname = current_database())`;

import type { PoolClient } from 'pg';

const tables = ['organization', 'user', 'membership', 'event', 'subscription'];

/**
 * Drops the secondary indexes and foreign keys of the tables to fill, disables their triggers, and returns the
 * statements that restore them: building an index once is much faster than updating it row by row.
 */
export async function suspendIndexes(client: PoolClient): Promise<string[]> {
  const constraints = await client.query<{ drop: string; restore: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
      from pg_constraint where conrelid = any($1::regclass[]) and contype in ('f', 'u') order by contype desc, conname`,
    [tables.map((table) => `"${table}"`)],
  );
  const indexes = await client.query<{ drop: string; restore: string }>(
    `select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as restore
      from pg_index where indrelid = any($1::regclass[]) and not indisprimary
        and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables.map((table) => `"${table}"`)],
  );
  // foreign keys are restored last: they need the unique constraints, and the indexes speed up their validation
  const unique = constraints.rows.filter(({ restore }) => !restore.includes('FOREIGN KEY'));
  const foreign = constraints.rows.filter(({ restore }) => restore.includes('FOREIGN KEY'));
  for (const { drop } of [...foreign, ...unique, ...indexes.rows]) await client.query(drop);
  for (const table of tables) await client.query(`alter table "${table}" disable trigger user`);
  return [
    ...[...indexes.rows, ...unique, ...foreign].map(({ restore }) => restore),
    ...tables.map((table) => `alter table "${table}" enable trigger user`),
  ];
}

/** Enables index-only scans and updates the planner's statistics. Cannot run in a transaction. */
export async function vacuum(client: PoolClient): Promise<void> {
  await client.query(`vacuum (analyze) ${tables.map((table) => `"${table}"`).join(', ')}`);
}

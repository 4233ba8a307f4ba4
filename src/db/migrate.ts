import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Pooler } from '#postgres-access';
import { findPrimary } from './client.ts';
import { withMigrationLock } from './migration-lock.ts';
import { IndexMigration } from './migrations/index-migration.ts';
import { type MigrationEntry, migrations } from './migrations/migrations.ts';
import { createOrm, type Orm } from './orm.ts';

export interface MigrateOptions {
  /** Milliseconds that one statement of a migration waits for a lock; the migration is then retried. */
  lockTimeout?: number;
  /** How often a migration that does not get its locks is attempted. */
  attempts?: number;
  /** Milliseconds to wait for another process that migrates. */
  patience?: number;
  report?: ((message: string) => void) | undefined;
  /** Oldest first. */
  list?: MigrationEntry[];
}

/**
 * Brings the schema up to date (note 0028). If several processes start at once, one migrates, and the others wait. Each
 * migration runs in its own transaction, or in none if it builds indexes of large tables.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { lockTimeout = 3_000, attempts = 20, patience = 10 * 60_000, report = () => undefined } = options;
  const { list = migrations } = options;
  await findPrimary(url);
  // building an index may take longer than the service's statement timeout
  const connection = { url, poolSize: 3, statementTimeout: 0, idleInTransactionTimeout: 0, migrations: list };
  const orm = await createOrm({ ...connection, lockTimeout });
  // a concurrent build blocks nobody
  const builder = await createOrm({ ...connection, lockTimeout: 0 });
  try {
    const pool = await orm.driver.getConnection().getNativeClient();
    await requireSupported(pool);
    // most starts find nothing to do and need no lock
    if ((await pendingOf(pool, list)).length === 0) return [];
    return await withMigrationLock(pool, { patience, onWait: report }, async (verify) => {
      const pending = await pendingOf(pool, list);
      if (pending.length > 0) await requireOwner(pool);
      // all tables of an empty database take a second
      const isNew = pending.length === list.length;
      if (isNew) report('making the tables');
      for (const [index, { name, class: migration }] of pending.entries()) {
        await verify();
        const isIndex = migration.prototype instanceof IndexMigration;
        if (!isNew) report(`migration ${index + 1} of ${pending.length}: ${name}`);
        await run(isIndex ? builder : orm, name, { attempts, report });
      }
      return pending.map(({ name }) => name);
    });
  } finally {
    await orm.close(true);
    await builder.close(true);
  }
}

/** The major versions that the tests run on. */
const supported = [15, 16, 17, 18];

/** @throws Error if the server is of another major version */
async function requireSupported(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  const [{ number, version } = { number: '0', version: 'unknown' }] = rows;
  if (supported.includes(Math.floor(Number(number) / 10_000))) return;
  throw new Error(
    `The database is PostgreSQL ${version}. This version of the service supports PostgreSQL ${supported.join(', ')}.`,
  );
}

/** @throws Error if the role may not make tables: migrations are then run by another one (docs/operate/database.md#two-roles) */
async function requireOwner(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string; may: boolean }>(
    `select current_user as role, has_schema_privilege('public', 'create') as may`,
  );
  if (rows[0]?.may) return;
  throw new Error(
    `The database lacks migrations, and the role ${rows[0]?.role} may not run them. Run the command \`migrate\` (in a clone \`npm run db:migrate\`) with a DATABASE_URL of the role that owns the tables.`,
  );
}

export async function isMigrated(url: string, pooler: Pooler | null = null): Promise<boolean> {
  await findPrimary(url);
  const orm = await createOrm({ url, pooler, poolSize: 1 });
  try {
    return (await pendingOf(await orm.driver.getConnection().getNativeClient(), migrations)).length === 0;
  } finally {
    await orm.close(true);
  }
}

/** According to the table of the ORM's migrator. */
async function pendingOf(pool: Pool, list: MigrationEntry[]): Promise<MigrationEntry[]> {
  const { rows: tables } = await pool.query(
    `select from pg_class where oid = to_regclass('public.mikro_orm_migrations')`,
  );
  if (tables.length === 0) return list;
  const { rows } = await pool.query<{ name: string }>('select name from public.mikro_orm_migrations');
  const done = new Set(rows.map(({ name }) => name));
  return list.filter(({ name }) => !done.has(name));
}

/** Lock not available, deadlock (PostgreSQL, appendix A). */
const lockFailures = ['55P03', '40P01'];

/** While it waits for a lock on a table, every later statement on that table queues behind it: it waits briefly and retries. */
async function run(
  orm: Orm,
  name: string,
  { attempts, report }: Required<Pick<MigrateOptions, 'attempts' | 'report'>>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await orm.migrator.up({ migrations: [name] });
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === undefined || !lockFailures.includes(code)) throw error;
      const message = `migration ${name} cannot get a lock that another transaction holds (${(error as Error).message})`;
      if (attempt === attempts) {
        throw new Error(`The ${message}, after ${attempts} attempts. Nothing was changed; start again later.`);
      }
      report(`${message}; trying again`);
      // lets the queued statements run
      await sleep(Math.min(500 * attempt, 5_000) * (1 + Math.random()));
    }
  }
}

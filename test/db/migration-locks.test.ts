import { Migration } from '@mikro-orm/migrations';
import type { Pool, PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { IndexMigration } from '../../src/db/migrations/index-migration.ts';
import { type MigrationEntry, migrations } from '../../src/db/migrations/migrations.ts';
import { createEmptyDatabase, openOrm } from '../support/database.ts';
import { inTest } from '../support/shared.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let pool: Pool;
/** Connections of others, each of which gives up after a while what it is kept from. */
let other: PoolClient;
let writer: PoolClient;

beforeEach(async () => {
  database = await inTest(createEmptyDatabase());
  pool = (await inTest(openOrm({ url: database.url, statementTimeout: 10_000 }))).orm.connections.primary;
  other = await pool.connect();
  writer = await pool.connect();
});
afterEach(async () => {
  other.release(true);
  writer.release(true);
});

const index: MigrationEntry = {
  name: '9998-planted-index',
  class: class extends IndexMigration {
    override async up(): Promise<void> {
      await this.createIndex('planted_index', 'on "event" ("location")');
    }
  },
};
const withIndex = [...migrations, index];

const organization = '00000000-0000-7000-8000-000000000001';
async function insertEvent(client: PoolClient, slug: string): Promise<void> {
  await client.query(
    `insert into event (id, organization_id, name, slug, date_start, date_end)
     values (gen_random_uuid(), $1, 'An event', $2, now(), now())`,
    [organization, slug],
  );
}

/** Waits until a statement like this waits for a lock. */
async function untilBlocked(text: string): Promise<void> {
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query ilike $1 and datname = current_database()`;
  const blocked = async () => (await pool.query(waits, [`%${text}%`])).rowCount;
  await expect.poll(blocked, { timeout: 10_000 }).toBeGreaterThan(0);
}

async function indexes(): Promise<Map<string, boolean>> {
  const { rows } = await pool.query<{ name: string; valid: boolean }>(
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'event'::regclass`,
  );
  return new Map(rows.map(({ name, valid }) => [name, valid]));
}

/** A migrated database in which a transaction that is open has written an event. */
async function openTransaction(): Promise<void> {
  await migrate(database.url);
  await pool.query(`insert into organization (id, name, slug) values ($1, 'O', 'o')`, [organization]);
  await other.query('begin');
  await insertEvent(other, 'open');
}

describe('a migration of indexes', () => {
  beforeEach(openTransaction);

  it('lets others read and write the table while it waits and builds', async () => {
    const migrated = migrate(database.url, { list: withIndex });
    await untilBlocked('create index concurrently');
    await writer.query(`set lock_timeout = '2s'`);
    await insertEvent(writer, 'meanwhile');
    expect((await writer.query('select from event')).rowCount).toBe(1);
    await other.query('commit');
    expect(await migrated).toEqual([index.name]);
    expect((await indexes()).get('planted_index')).toBe(true);
  });

  it('is repeated by the next start if it was interrupted, and leaves no invalid index', async () => {
    const migrated = migrate(database.url, { list: withIndex }).catch((error: Error) => error);
    await untilBlocked('create index concurrently');
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query ilike 'create index concurrently%' and datname = current_database()`,
    );
    expect(await migrated).toBeInstanceOf(Error);
    await other.query('commit');
    expect((await indexes()).get('planted_index')).toBe(false);
    expect(await migrate(database.url, { list: withIndex })).toEqual([index.name]);
    expect((await indexes()).get('planted_index')).toBe(true);
  });

  it('waits for a build that PostgreSQL still finishes for a process that was killed', async () => {
    const left = writer.query('create index concurrently "planted_index" on "event" ("location")');
    await untilBlocked('create index concurrently');
    const oid = async () => (await pool.query(`select 'planted_index'::regclass::oid as oid`)).rows;
    const made = await oid();
    const migrated = migrate(database.url, { list: withIndex });
    const asks = `select from pg_stat_activity where query like '%create_index as build%' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await pool.query(asks)).rowCount).toBe(1);
    await other.query('commit');
    await left;
    await migrated;
    expect(await oid()).toEqual(made);
  });
});

describe('a migration in a transaction', () => {
  const entry: MigrationEntry = {
    name: '9999-planted',
    class: class extends Migration {
      override up(): void {
        this.addSql('create table "planted" ("id" uuid)');
        this.addSql('alter table "event" add column "planted" text');
      }
    },
  };
  const list = [...migrations, entry];

  beforeEach(openTransaction);

  it('gives way to others while a transaction keeps it from its lock, and is retried', async () => {
    const reports: string[] = [];
    const migrated = migrate(database.url, { list, lockTimeout: 300, report: (message) => reports.push(message) });
    await untilBlocked('alter table "event"');
    // queues behind the migration, and gets through while the transaction is still open
    expect((await writer.query('select from event')).rowCount).toBe(0);
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    await other.query('commit');
    expect(await migrated).toEqual(['9999-planted']);
    expect(reports[0]).toBe('migration 1 of 1: 9999-planted');
    expect(reports[1]).toContain('migration 9999-planted cannot get a lock');
  });

  it('is given up after a number of attempts, and leaves nothing', async () => {
    const migrated = migrate(database.url, { list, lockTimeout: 100, attempts: 2 });
    await expect(migrated).rejects.toThrow(/migration 9999-planted cannot get a lock .* after 2 attempts/);
    expect((await pool.query(`select to_regclass('planted') as left`)).rows).toEqual([{ left: null }]);
    await other.query('commit');
    expect(await migrate(database.url, { list })).toEqual(['9999-planted']);
  });
});

describe('another process that migrates', () => {
  /** Takes the lock of whoever migrates. */
  const hold = async () => {
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(7105118102)');
  };

  it('is waited for, with a message that tells so', async () => {
    await hold();
    const reports: string[] = [];
    const migrated = migrate(database.url, { report: (message) => reports.push(message) });
    await expect.poll(() => reports).toEqual([expect.stringContaining('another process is migrating the database')]);
    await other.query('commit');
    expect(await migrated).toEqual(migrations.map(({ name }) => name));
  });

  it('is named if it takes too long', async () => {
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    await hold();
    await expect(migrate(database.url, { patience: 300 })).rejects.toThrow(
      new RegExp(`Another process has been migrating this database.*backend ${rows[0]?.pid} `),
    );
    await other.query('commit');
    expect(await migrate(database.url)).toHaveLength(migrations.length);
  });

  it('keeps no start waiting that has nothing to migrate', async () => {
    await migrate(database.url);
    await hold();
    expect(await migrate(database.url, { patience: 0 })).toEqual([]);
  });

  it('does not keep a concurrent build waiting while it waits for it', async () => {
    await migrate(database.url);
    const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url, { list: withIndex })));
    expect(runs.flat()).toEqual([index.name]);
  });
});

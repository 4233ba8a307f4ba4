import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { childEnv } from '../support/child-env.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { ofThisDatabase } from '../support/locks.ts';
import { leftOut, type Pooler, pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';

describe.skipIf(pgbouncer === null)(`a migration behind PgBouncer whose process is killed${leftOut}`, () => {
  let fresh: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let direct: Orm;
  let observer: Pool;
  let holder: PoolClient;
  let pooler: Pooler;
  let dataDir: string;
  beforeAll(async () => {
    fresh = await createEmptyDatabase();
    direct = await createOrm({ url: fresh.url });
    observer = await direct.driver.getConnection().getNativeClient();
    holder = await observer.connect();
    pooler = await startPgbouncer(fresh.url);
    dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-pgbouncer-'));
  });
  afterAll(async () => {
    holder.release();
    await pooler.stop();
    await rm(dataDir, { recursive: true, force: true });
    await direct.close(true);
    await fresh.drop();
  });

  it('leaves no lock, and the next one finishes', async () => {
    const script = fileURLToPath(import.meta.resolve('../../src/commands/migrate.ts'));
    const migration = () =>
      spawn(process.execPath, [script], {
        env: { ...childEnv, DATABASE_URL: pooler.urlOf(fresh.url), DATA_DIR: dataDir },
        stdio: 'ignore',
      });
    // a table of the same name, not yet committed, keeps the migration waiting in the middle of its work
    await holder.query('begin');
    await holder.query('create table "organization" ("id" uuid)');
    const held = `select from pg_locks where locktype = 'advisory' and granted and ${ofThisDatabase}`;
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    const count = async (statement: string) => (await observer.query(statement)).rowCount;
    const killed = migration();
    const gone = once(killed, 'exit');
    await expect.poll(() => count(waiting)).toBe(1);
    expect(await count(held)).toBe(1);
    killed.kill('SIGKILL');
    await gone;
    await expect.poll(() => count(held)).toBe(0);
    await holder.query('rollback');
    const [code] = await once(migration(), 'exit');
    expect(code).toBe(0);
  });
});

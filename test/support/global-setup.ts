import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';
import { withClient } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { postgresMajor, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated, empty database that every test database is a copy of. */
    templateUrl: string;
  }
}

/** Where Linux keeps files in memory, and the bytes that a run may need there. */
const memory = '/dev/shm';
const needed = 6 * 1024 ** 3;

/** In memory, if there is room: to copy and drop hundreds of databases is then a third of the work. */
async function makeDataDir(): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  const dataDir = await mkdtemp(path.join(bavail * bsize >= needed ? memory : tmpdir(), 'events-gateway-test-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** One throw-away PostgreSQL for the whole run. Nothing in it outlives the run, so nothing waits for the disk. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // here, since two files that unpack it at once would run half of a program
  chromium.setGraphicsMode = false;
  await chromium.executablePath();
  const dataDir = await makeDataDir();
  const server = await startPostgres({
    dataDir,
    serverSettings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      max_wal_size: '1GB',
      // a run makes thousands of connections
      ...(postgresMajor >= 16 ? { scram_iterations: '1' } : {}),
      // the tests cause deadlocks and wait for them
      deadlock_timeout: '100ms',
    },
  });
  await migrate(server.url);
  // the role of the service may not, and the tests make databases for it
  await withClient(server.superuserUrl, (client) => client.query('alter role events_gateway createdb'));
  project.provide('templateUrl', server.url);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

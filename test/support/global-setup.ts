import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated, empty database that every test database is a copy of. */
    templateUrl: string;
  }
}

/** One throw-away PostgreSQL for the whole run. Nothing in it outlives the run, so nothing waits for the disk. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-test-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    serverSettings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
  });
  await migrate(server.url);
  project.provide('templateUrl', server.url);
  return async () => {
    await server.stop({ force: true });
    await rm(dataDir, { recursive: true, force: true });
  };
}

import path from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import sql from 'sql-template-tag';
import { withClient } from '../src/db/client.ts';
import { generate } from '../src/db/generate/generate.ts';
import { openDatabase } from '../src/db/open.ts';
import { createOrm } from '../src/db/orm.ts';
import { createProgress } from '../src/db/progress.ts';
import { row } from '../src/domain/database.ts';
import { type Picks, pick } from './picks.ts';
import { processTimes } from './processes.ts';

export interface BenchCounts {
  organizations: number;
  users: number;
  events: number;
  subscriptions: number;
}

/** A database that is filled, and what the questions ask about. */
export interface BenchData extends Picks {
  url: string;
  account: { email: string; password: string };
  /** The process whose children serve the connections; null where it runs elsewhere. */
  postmaster: number | null;
  close(): Promise<void>;
}

const seed = 1;

/** Opens the database of the benchmark, which is its own, and fills it at the first run. */
export async function openBenchDatabase(counts: BenchCounts, given: string | null): Promise<BenchData> {
  const dataDir = path.resolve(import.meta.dirname, '..', `.data-bench-${counts.events}`);
  const database = await openDatabase({ url: given, replicaUrls: [], dataDir });
  const orm = await createOrm({ url: database.url, statementTimeout: 0 });
  try {
    const em = orm.em.fork();
    if (!(await row(em, sql`select 1 as there from event limit 1`))) await fill(database.url, counts);
    return {
      ...(await pick(em, counts.events)),
      url: database.url,
      account: { email: `user-1@seed-${seed}.example`, password: 'generated-events-2468' },
      postmaster: given === null ? await findPostmaster(em) : null,
      close: () => database.close(),
    };
  } finally {
    await orm.close(true);
  }
}

async function fill(url: string, counts: BenchCounts): Promise<void> {
  const progress = createProgress();
  await withClient(url, async (client) => {
    await generate(client, counts, seed, progress);
    // or PostgreSQL would write the new pages out while the first questions are measured
    await client.query('checkpoint');
  }).finally(progress.end);
}

/** Asked while the connection is open: the process that serves it ends with it, and nobody knows its parent then. */
async function findPostmaster(em: EntityManager): Promise<number | null> {
  const backend = await row<{ pid: number }>(em, sql`select pg_backend_pid() as pid`);
  return backend ? (processTimes(backend.pid)?.parent ?? null) : null;
}

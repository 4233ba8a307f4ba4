import path from 'node:path';
import type { PoolClient } from 'pg';
import { createProgress } from '../packages/command-line/src/index.ts';
import { generate, generatedPassword } from '../packages/generated-data/src/index.ts';
import { hashPassword } from '../packages/passwords/src/index.ts';
import { withClient } from '../src/db/client.ts';
import { openDatabase } from '../src/db/open.ts';
import { type Picks, pick } from './picks.ts';
import { processTimes } from './processes.ts';

export interface BenchCounts {
  organizations: number;
  users: number;
  events: number;
  subscriptions: number;
}

/** A filled database, and the rows that the questions are about. */
export interface BenchData extends Picks {
  url: string;
  /** Null if PostgreSQL runs elsewhere. */
  superuserUrl: string | null;
  account: { email: string; password: string };
  /** The process whose children serve the connections; null if PostgreSQL runs elsewhere. */
  postmaster: number | null;
  close(): Promise<void>;
}

const seed = 1;

/** Opens the benchmark's own database, and fills it at the first run. */
export async function openBenchDatabase(counts: BenchCounts, given: string | null): Promise<BenchData> {
  const dataDir = path.resolve(import.meta.dirname, '..', `.data-bench-${counts.events}`);
  const database = await openDatabase({ url: given, directUrl: null, pooler: null, replicaUrls: [], dataDir });
  try {
    const found = await withClient(database.url, async (client) => {
      if (!(await client.query('select from event limit 1')).rowCount) {
        await fill(client, counts);
        // otherwise PostgreSQL would write the new pages to disk during the first measurements
        await withClient(database.superuserUrl ?? database.url, (admin) => admin.query('checkpoint'));
      }
      return {
        ...(await pick(client, counts.events)),
        postmaster: given === null ? await findPostmaster(client) : null,
      };
    });
    const account = { email: `user-1@seed-${seed}.example`, password: generatedPassword };
    const { url, superuserUrl } = database;
    return { ...found, url, superuserUrl, account, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function fill(client: PoolClient, counts: BenchCounts): Promise<void> {
  const progress = createProgress();
  await generate(client, { counts, seed, hashPassword, progress }).finally(progress.end);
}

/** Looked up while the connection is open, since its process ends with it, and its parent is then unknown. */
async function findPostmaster(client: PoolClient): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0] ? (processTimes(rows[0].pid)?.parent ?? null) : null;
}

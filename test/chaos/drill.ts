import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { withClient } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startBreakable } from '../support/breakable.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { password } from '../support/fixtures.ts';
import { startPostgres } from '../support/postgres.ts';
import { freePort } from '../support/programs.ts';
import { addMember, Journal, startWriters, verify } from './writers.ts';

/** What is broken, in the order in which it is. */
export const faults = ['service', 'database', 'frozen database', 'black hole', 'out of connections'] as const;
export type Fault = (typeof faults)[number];

export interface DrillReport {
  acknowledged: number;
  /** How often each fault was made, and the longest time from its end to the next acknowledged write, in milliseconds. */
  recoveries: Record<Fault, { count: number; longest: number }>;
  wrong: string[];
}

/** Milliseconds after which the service counts as not coming back. */
const patience = 90_000;

/** Milliseconds after which the writers sign in anew: a long drill outlives an access token (reference/sign-in.md). */
const signInEvery = 10 * 60_000;

/**
 * Breaks a service and its database, on a PostgreSQL of its own that writes to the disk, while clients write; then compares
 * what was acknowledged with the rows.
 */
export async function runDrill(plan: readonly Fault[], report: (line: string) => void): Promise<DrillReport> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-chaos-'));
  await chmod(dataDir, 0o755);
  const database = await startPostgres({ dataDir, warn: report });
  await migrate(database.url);
  const way = await startBreakable(database.url);
  const port = await freePort();
  const start = () =>
    startChildService({ DATABASE_URL: way.url, DATA_DIR: dataDir, PORT: String(port), RATE_LIMIT: 'off' });
  let service: ChildService = await start();
  const journal = new Journal();
  const recoveries = Object.fromEntries(
    faults.map((fault) => [fault, { count: 0, longest: 0 }]),
  ) as DrillReport['recoveries'];
  const postgres = () => processesOf(dataDir);
  const breaks: Record<Fault, () => Promise<void>> = {
    service: async () => {
      await service.kill();
      service = await start();
    },
    database: async () => {
      const [postmaster] = await postgres();
      process.kill(postmaster as number, 'SIGKILL');
      // it is started again by this process, as by a service that uses it
      await untilAnswering(() => database.url);
      way.leadTo(database.url);
    },
    'frozen database': async () => {
      const frozen = await postgres();
      for (const pid of frozen) signal(pid, 'SIGSTOP');
      await sleep(3_000);
      for (const pid of frozen.toReversed()) signal(pid, 'SIGCONT');
    },
    'black hole': async () => {
      way.silence();
      await sleep(3_000);
      await way.mend();
    },
    'out of connections': async () => {
      const held = await takeConnections(database.url);
      await sleep(2_000);
      await Promise.all(held.map((client) => client.end()));
    },
  };
  try {
    const member = await addMember(database.url, 'manager');
    let headers = await signIn(service.url, member);
    let signedIn = performance.now();
    const writers = startWriters(journal, service.url, () => headers);
    await journal.nextAfter(0, patience);
    for (const [index, fault] of plan.entries()) {
      if (performance.now() - signedIn > signInEvery) {
        headers = await signIn(service.url, member);
        signedIn = performance.now();
      }
      await sleep(Math.random() * 800);
      await breaks[fault]();
      const ended = performance.now();
      const took = Math.round(await journal.nextAfter(ended, patience));
      const seen = recoveries[fault];
      seen.count += 1;
      seen.longest = Math.max(seen.longest, took);
      report(`${index + 1}/${plan.length} ${fault}: writes again after ${took} ms`);
    }
    await writers.stop();
    return { acknowledged: journal.events.size, recoveries, wrong: await verify(journal, database.url) };
  } finally {
    await service.kill();
    await way.close();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function untilAnswering(url: () => string): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    try {
      await withClient(url(), (client) => client.query('select 1'));
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
}

/** Outside of a test, too. */
async function signIn(url: string, { email, organizationId }: Awaited<ReturnType<typeof addMember>>) {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${token}`, 'x-organization-id': organizationId };
}

/** The processes of the PostgreSQL of this folder, the postmaster first. */
async function processesOf(dataDir: string): Promise<number[]> {
  const text = await readFile(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8');
  const postmaster = Number(text.split('\n')[0]);
  const parents = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
        return [Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const;
      }),
  );
  return [postmaster, ...parents.filter(([, parent]) => parent === postmaster).map(([pid]) => pid)];
}

/** Takes all connections that the server gives to ordinary roles. */
async function takeConnections(url: string): Promise<Client[]> {
  const held: Client[] = [];
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      held.push(client);
    } catch {
      return held;
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // a connection that ended meanwhile
  }
}

import { type AddressInfo, createServer } from 'node:net';
import type { PoolClient } from 'pg';
import { createProgress } from '../packages/command-line/src/index.ts';
import { withClient } from '../src/db/client.ts';
import { Calm } from './calm.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { devicesFor } from './devices.ts';
import { type RunningPeer, startPeers, startServer, stopPeers } from './peers.ts';
import { residentMemory, treeCpu } from './processes.ts';
import { isCopy, type Peer, type Without } from './questions.ts';
import { figure, median, origin, ratioTable, save, table } from './report.ts';
import type { Settings } from './settings.ts';
import { countStatements } from './statement-counter.ts';
import { headersOf } from './tokens.ts';
import { shootEach, type WriteRequest } from './write-load.ts';
import { prepareWrites, resetWrites, type WriteData, type WriteQuestion, writeQuestions } from './write-questions.ts';

/** The servers without users and rules, the service, and copies of it that each lack a device. */
type Running = Map<Peer, RunningPeer>;

/** One question for one peer in one round; units as in `rounds.ts`. */
interface Measured {
  question: WriteQuestion;
  peer: Peer;
  throughput: number;
  serverCpu: number;
  databaseCpu: number;
  p50: number;
  p99: number;
  memory: number;
}

interface Bench {
  data: BenchData;
  writes: WriteData;
  client: PoolClient;
  settings: Settings;
  peers: Peer[];
  /** The URL of a mail server that never responds. */
  smtpUrl: string;
}

/** How many users subscribe to one event, and how many events the other subscriptions are spread over. */
const sizes = { subscribers: 500, events: 1000 };

/** Measures writes of the gateway, of the bare statements and of an ordinary service in turn; returns the report. */
export async function measureWrites(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  // mails stay in their queue: only the write is measured, not the delivery that follows
  const mailServer = createServer(() => undefined);
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const smtpUrl = `smtp://127.0.0.1:${(mailServer.address() as AddressInfo).port}?tls=off`;
  try {
    return await withClient(data.url, async (client) => {
      const small = Math.min(1, settings.counts.events / sizes.events);
      const writes = await prepareWrites(client, Math.ceil(sizes.subscribers * small), Math.ceil(sizes.events * small));
      const bench = { data, writes, client, settings, smtpUrl, peers: peersOf(settings) };
      const asked = writeQuestions(writes).filter(
        ({ name }) => settings.only.length === 0 || settings.only.includes(name),
      );
      const statements = await countAll(bench, asked);
      const { measured, calm } = await measureAll(bench, asked);
      const text = report(asked, measured, statements, calm, bench);
      await save(settings.out, { 'writes.md': text });
      return text;
    });
  } finally {
    await data.close();
    mailServer.close();
  }
}

/** All writes are of one organization, which would use up its quota of bytes. */
const unbounded = { BYTES_PER_MINUTE_MIB: '1000000', BYTES_PER_DAY_MIB: '1000000' };

/** Whether a server has no users and no rules. */
const isBare = (peer: Peer) => peer === 'limit' || peer === 'naive';

/** Everything that takes turns. */
function peersOf({ without }: Settings): Peer[] {
  const names = without.includes('each') ? devicesFor('writes') : without;
  return ['limit', 'naive', 'gateway', ...names.map((name): Without => `without ${name}`)];
}

async function withPeers<Result>(
  { data, smtpUrl, settings, peers }: Bench,
  url: string,
  work: (running: Running) => Promise<Result>,
): Promise<Result> {
  const running: Running = new Map();
  try {
    running.set('limit', await startServer('limit-writes.ts', { ...data, url }));
    running.set('naive', await startServer('naive.ts', { ...data, url }));
    const services = peers.filter((peer) => !isBare(peer));
    const started = await startPeers(
      services,
      { ...data, url },
      { profile: settings.profile, smtpUrl, env: unbounded },
    );
    for (const [peer, each] of started) running.set(peer, each);
    return await work(running);
  } finally {
    await stopPeers(running);
  }
}

/** Counts the statements of one write, with the writes of a round sent one at a time so that none waits. */
async function countAll(bench: Bench, asked: WriteQuestion[]): Promise<Map<string, number>> {
  const counter = await countStatements(bench.data.url);
  try {
    return await withPeers(bench, counter.url, async (running) => {
      const found = new Map<string, number>();
      for (const question of asked) {
        for (const peer of bench.peers) {
          const requests = (await requestsOf(bench, question, peer, running, `count ${peer}`)).slice(0, 30);
          await resetWrites(bench.client, bench.writes);
          const before = counter.count();
          await shootEach(requests, 1);
          found.set(`${question.name} ${peer}`, (counter.count() - before) / requests.length);
        }
      }
      return found;
    });
  } finally {
    counter.close();
  }
}

async function measureAll(bench: Bench, asked: WriteQuestion[]): Promise<{ measured: Measured[]; calm: Calm }> {
  const { settings, data, peers } = bench;
  const progress = createProgress();
  const calm = new Calm(asked.length * settings.rounds);
  return await withPeers(bench, data.url, async (running) => {
    const measured: Measured[] = [];
    progress.begin('rounds', asked.length * (settings.rounds + 1));
    // the first round warms up: code is compiled and access is cached
    for (let round = 0; round <= settings.rounds; round += 1) {
      for (const question of asked) {
        const first = round % peers.length;
        const turns = [...peers.slice(first), ...peers.slice(0, first)];
        const figures = await calm.measure(async () => {
          const found: Measured[] = [];
          for (const peer of turns) found.push(await measure(bench, question, peer, running, round));
          return found;
        });
        if (round > 0) measured.push(...figures);
        progress.advance(1);
      }
    }
    return { measured, calm };
  }).finally(progress.end);
}

let asking = 0;

async function measure(
  bench: Bench,
  question: WriteQuestion,
  peer: Peer,
  running: Running,
  round: number,
): Promise<Measured> {
  const { data, writes, client, settings } = bench;
  asking += 1;
  const requests = await requestsOf(bench, question, peer, running, `${round}.${asking}`);
  await resetWrites(client, writes);
  const { pid } = running.get(peer) as RunningPeer;
  const cpu = () => ({
    server: treeCpu(pid) * 1000,
    database: data.postmaster === null ? Number.NaN : treeCpu(data.postmaster) * 1000,
  });
  const before = cpu();
  const { total, elapsed, p50, p99 } = await shootEach(requests, settings.connections);
  const after = cpu();
  const { rows } = await client.query<{ holds: boolean }>(question.check);
  if (!rows[0]?.holds) throw new Error(`${question.name}: ${peer} did not write what was requested.`);
  await resetWrites(client, writes);
  return {
    question,
    peer,
    throughput: (total * 1000) / elapsed,
    serverCpu: (after.server - before.server) / total,
    databaseCpu: (after.database - before.database) / total,
    ...{ p50, p99, memory: residentMemory(pid) },
  };
}

/** The requests of a round to one peer, signed in if the peer requires it. */
async function requestsOf(
  { writes }: Bench,
  question: WriteQuestion,
  peer: Peer,
  running: Running,
  round: string,
): Promise<WriteRequest[]> {
  const { url } = running.get(peer) as RunningPeer;
  const asked = question.writes(round);
  return await Promise.all(
    asked.map(async ({ method, body, paths, user }) => ({
      ...{ url: url + paths[isBare(peer) ? 'bare' : 'gateway'], method, body },
      headers: isBare(peer) ? {} : await headersOf(user, writes.organization),
    })),
  );
}

function report(
  asked: WriteQuestion[],
  measured: Measured[],
  statements: Map<string, number>,
  calm: Calm,
  { peers, settings: { command, rounds, connections } }: Bench,
): string {
  const series = (name: string, peer: Peer, pick: (each: Measured) => number) =>
    measured.filter((each) => each.question.name === name && each.peer === peer).map(pick);
  const middle = (name: string, peer: Peer, pick: (each: Measured) => number) => median(series(name, peer, pick));
  const beside = (other: Peer) => (name: string) => {
    const limit = series(name, other, ({ throughput }) => throughput);
    return series(name, 'gateway', ({ throughput }) => throughput).map(
      (each, round) => each / (limit[round] ?? Number.NaN),
    );
  };
  const copies = peers.filter(isCopy);
  const cpuBeside = (other: Peer) => (name: string) => {
    const both = (peer: Peer) => series(name, peer, ({ serverCpu, databaseCpu }) => serverCpu + databaseCpu);
    const others = both(other);
    return both('gateway').map((each, round) => each / (others[round] ?? Number.NaN));
  };
  const lock = (peer: Peer) => {
    const rate = (name: string) => middle(name, peer, ({ throughput }) => throughput);
    return figure(rate('W1') / rate('W2'), 2);
  };
  return `# Writes

${connections} connections; rounds: ${rounds}, in each of which the servers take turns; medians. The limit is plain \`node:http\` that runs the bare
statements through \`pg\` in one transaction: lock the event, write, history or audit trail, the mail's place in the queue. The naive server does the same
with Express and entities of MikroORM. Both know no users and no rules; the service has every rule switched on. Mails are queued with the write, and their delivery is not measured.

${calm.summary()}

${origin(command)}
${ratioTable(asked, beside('limit'))}
${ratioTable(asked, beside('naive'), 'naive')}
${copies.map((copy) => `The service beside itself ${copy}, in the same rounds. Throughput:\n\n${ratioTable(asked, beside(copy), copy)}\nCPU of the server and of PostgreSQL together:\n\n${ratioTable(asked, cpuBeside(copy), copy)}\n`).join('')}What the lock of one row costs: W1, where all wait for it, has ${lock('gateway')} times the throughput of W2 in the service, ${lock('naive')} times in the naive server, and ${lock('limit')} times with the bare statements.

CPU in µs a request, times in ms, memory in MB.

${table(
  ['question', 'peer', 'requests a second', 'statements', 'server CPU', 'PostgreSQL CPU', 'p50', 'p99', 'RSS'],
  asked.flatMap(({ name }) =>
    peers.map((peer) => [
      name,
      peer,
      figure(middle(name, peer, ({ throughput }) => throughput)),
      figure(statements.get(`${name} ${peer}`), 1),
      figure(middle(name, peer, ({ serverCpu }) => serverCpu)),
      figure(middle(name, peer, ({ databaseCpu }) => databaseCpu)),
      figure(
        middle(name, peer, ({ p50 }) => p50),
        1,
      ),
      figure(
        middle(name, peer, ({ p99 }) => p99),
        1,
      ),
      figure(Math.max(...series(name, peer, ({ memory }) => memory))),
    ]),
  ),
)}`;
}

import { type AddressInfo, createServer } from 'node:net';
import type { PoolClient } from 'pg';
import { withClient } from '../src/db/client.ts';
import { createProgress } from '../src/db/progress.ts';
import { AccessTokens } from '../src/domain/session/access-token.ts';
import { Calm } from './calm.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { publicUrl, type RunningPeer, startPeers, startServer, stopPeers, tokenKey } from './peers.ts';
import { residentMemory, treeCpu } from './processes.ts';
import { figure, median, origin, ratioTable, save, table } from './report.ts';
import type { Settings } from './settings.ts';
import { countStatements } from './statement-counter.ts';
import { shootEach, type WriteRequest } from './write-load.ts';
import { prepareWrites, resetWrites, type WriteData, type WriteQuestion, writeQuestions } from './write-questions.ts';

const peers = ['limit', 'gateway'] as const;
type Peer = (typeof peers)[number];
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
  /** The URL of a mail server that never responds. */
  smtpUrl: string;
}

/** How many users subscribe to one event, and how many events the other subscriptions are spread over. */
const sizes = { subscribers: 500, events: 1000 };

/** Measures writes of the gateway and of the bare statements in turn; returns the report. */
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
      const bench = { data, writes, client, settings, smtpUrl };
      const asked = writeQuestions(writes).filter(
        ({ name }) => settings.only.length === 0 || settings.only.includes(name),
      );
      const statements = await countAll(bench, asked);
      const { measured, calm } = await measureAll(bench, asked);
      const text = report(asked, measured, statements, calm, settings);
      await save(settings.out, { 'writes.md': text });
      return text;
    });
  } finally {
    await data.close();
    mailServer.close();
  }
}

async function withPeers<Result>(
  { data, smtpUrl, settings }: Bench,
  url: string,
  work: (running: Running) => Promise<Result>,
): Promise<Result> {
  const running: Running = new Map();
  try {
    running.set('limit', await startServer('limit-writes.ts', { ...data, url }));
    const started = await startPeers(['gateway'], { ...data, url }, { profile: settings.profile, smtpUrl });
    running.set('gateway', started.get('gateway') as RunningPeer);
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
        for (const peer of peers) {
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
  const { settings, data } = bench;
  const progress = createProgress();
  const calm = new Calm(asked.length * settings.rounds);
  return await withPeers(bench, data.url, async (running) => {
    const measured: Measured[] = [];
    progress.begin('rounds', asked.length * (settings.rounds + 1));
    // the first round warms up: code is compiled and access is cached
    for (let round = 0; round <= settings.rounds; round += 1) {
      for (const question of asked) {
        const turns = round % 2 === 0 ? peers : peers.toReversed();
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
  const headers =
    peer === 'gateway'
      ? await signIn(
          asked.map(({ user }) => user),
          writes,
        )
      : new Map();
  return asked.map(({ method, body, paths, user }) => ({
    ...{ url: url + paths[peer], method, body },
    headers: headers.get(user) ?? {},
  }));
}

const tokens = new AccessTokens({ privateKeys: [tokenKey], issuer: publicUrl, audience: publicUrl });
const signedIn = new Map<string, { at: number; headers: Record<string, string> }>();

/** Creates access tokens for existing sessions: signing in hashes a password, which takes longer than everything measured. */
async function signIn(
  users: readonly string[],
  { organization }: WriteData,
): Promise<Map<string, Record<string, string>>> {
  const now = new Date();
  const found = new Map<string, Record<string, string>>();
  for (const user of new Set(users)) {
    const known = signedIn.get(user);
    if (known && now.getTime() - known.at < 20 * 60_000) {
      found.set(user, known.headers);
      continue;
    }
    const { token } = await tokens.issue({ userId: user, sessionId: user, now });
    const headers = { authorization: `Bearer ${token}`, 'x-organization-id': organization };
    signedIn.set(user, { at: now.getTime(), headers });
    found.set(user, headers);
  }
  return found;
}

function report(
  asked: WriteQuestion[],
  measured: Measured[],
  statements: Map<string, number>,
  calm: Calm,
  { command, rounds, connections }: Settings,
): string {
  const series = (name: string, peer: Peer, pick: (each: Measured) => number) =>
    measured.filter((each) => each.question.name === name && each.peer === peer).map(pick);
  const middle = (name: string, peer: Peer, pick: (each: Measured) => number) => median(series(name, peer, pick));
  const ratios = (name: string) => {
    const limit = series(name, 'limit', ({ throughput }) => throughput);
    return series(name, 'gateway', ({ throughput }) => throughput).map(
      (each, round) => each / (limit[round] ?? Number.NaN),
    );
  };
  const lock = (peer: Peer) => {
    const rate = (name: string) => middle(name, peer, ({ throughput }) => throughput);
    return figure(rate('W1') / rate('W2'), 2);
  };
  return `# Writes

${connections} connections; rounds: ${rounds}, in each of which the bare statements and the service take turns; medians. The limit is plain \`node:http\` that
runs the bare statements through \`pg\` in one transaction: lock the event, write, history or audit trail, the mail's place in the queue. It knows
no users and no rules; the service has every rule switched on. Mails are queued with the write, and their delivery is not measured.

${calm.summary()}

${origin(command)}
${ratioTable(asked, ratios)}
What the lock of one row costs: W1, where all wait for it, has ${lock('gateway')} times the throughput of W2 in the service, and ${lock('limit')} times with the bare statements.

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

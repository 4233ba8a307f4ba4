import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../src/db/progress.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { type RunningPeer, startPeer } from './peers.ts';
import { residentMemory, treeCpu } from './processes.ts';
import { type Ask, type Peer, peers, type Question, questions } from './questions.ts';
import { chart, markdown, summarize } from './report.ts';
import { countStatements } from './statement-counter.ts';

/** One question put to one peer in one round. Throughput in requests a second, CPU in µs a request, times in ms, memory in MB. */
export interface Measured {
  question: string;
  peer: Peer;
  throughput: number;
  statements: number;
  serverCpu: number;
  databaseCpu: number;
  p50: number;
  p99: number;
  memory: number;
}

interface Cannon {
  requests: { total: number; average: number };
  latency: { p50: number; p99: number };
  non2xx: number;
  errors: number;
}

const load = createRequire(import.meta.url);
const autocannon = load('autocannon') as (options: object) => Promise<Cannon>;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    subscriptions: { type: 'string', default: '5000000' },
    users: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'bench/results' },
  },
});

function options(running: RunningPeer, ask: Ask) {
  const headers = ask.query ? { ...running.headers, 'content-type': 'application/json' } : running.headers;
  const body = ask.query ? JSON.stringify({ query: ask.query }) : undefined;
  return { url: `${running.url}${ask.path}`, method: ask.query ? ('POST' as const) : ('GET' as const), headers, body };
}

/** The gateway's cursor of the deep page, come by as a client would: page after page. */
async function walkTo(running: RunningPeer, offset: number): Promise<string> {
  let token = '';
  for (let seen = 0; seen < offset; seen += 50) {
    const query = new URLSearchParams({ fields: 'id', ...(token ? { token } : {}) });
    const response = await fetch(`${running.url}/events?${query}`, { headers: running.headers });
    token = ((await response.json()) as { next: string }).next;
  }
  return token;
}

/** Statements a request of each pair, counted on the way to PostgreSQL once everything is warm. */
async function countAll(data: BenchData, pairs: Pair[]): Promise<Map<Pair, number>> {
  const counter = await countStatements(data.url);
  const started = new Map<Peer, RunningPeer>();
  const counts = new Map<Pair, number>();
  try {
    for (const peer of peers) started.set(peer, await startPeer(peer, { ...data, url: counter.url }));
    const ask = async ({ question, peer }: Pair) => {
      const { url, ...init } = options(started.get(peer) as RunningPeer, question.asks[peer] as Ask);
      await (await fetch(url, init)).text();
    };
    for (const pair of pairs) {
      for (let warm = 0; warm < 3; warm += 1) await ask(pair);
      const before = counter.count();
      await ask(pair);
      counts.set(pair, counter.count() - before);
      progress.advance(1);
    }
  } finally {
    for (const each of started.values()) each.stop();
    counter.close();
  }
  return counts;
}

async function measure(
  data: BenchData,
  running: RunningPeer,
  ask: Ask,
): Promise<Omit<Measured, 'question' | 'peer' | 'statements'>> {
  const cpu = () => ({
    server: treeCpu(running.pid),
    database: data.postmaster === null ? Number.NaN : treeCpu(data.postmaster),
  });
  const before = cpu();
  const result = await autocannon({
    ...options(running, ask),
    connections: Number(values.connections),
    duration: Number(values.seconds),
  });
  const after = cpu();
  if (result.non2xx + result.errors > 0)
    throw new Error(`${ask.path}: ${result.non2xx} refusals, ${result.errors} errors`);
  const { total } = result.requests;
  return {
    throughput: total / Number(values.seconds),
    serverCpu: ((after.server - before.server) * 1000) / total,
    databaseCpu: ((after.database - before.database) * 1000) / total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    memory: residentMemory(running.pid),
  };
}

type Pair = { question: Question; peer: Peer };
const counts = {
  organizations: 50,
  users: Number(values.users),
  events: Number(values.events),
  subscriptions: Number(values.subscriptions),
};
const data = await openBenchDatabase(counts, process.env.BENCH_DATABASE_URL ?? null);
const running = new Map<Peer, RunningPeer>();
const progress = createProgress();
try {
  for (const peer of peers) running.set(peer, await startPeer(peer, data));
  const deep = await walkTo(running.get('gateway') as RunningPeer, data.deep.offset);
  const wanted = values.only ? values.only.split(',') : null;
  const asked = questions(data, deep).filter((each) => !wanted || wanted.includes(each.name));
  const pairs = asked.flatMap((question) =>
    peers.filter((peer) => question.asks[peer]).map((peer) => ({ question, peer })),
  );
  progress.begin('statements', pairs.length);
  const statements = await countAll(data, pairs);
  const measured: Measured[] = [];
  progress.begin('rounds', pairs.length * Number(values.rounds));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const pair of pairs) {
      const { question, peer } = pair;
      const figures = await measure(data, running.get(peer) as RunningPeer, question.asks[peer] as Ask);
      measured.push({
        question: question.name,
        peer,
        statements: statements.get(pair) ?? 0,
        ...figures,
      });
      progress.advance(1);
    }
  }
  progress.end();
  const rows = summarize(asked, measured);
  const command = `npm run bench -- --events ${values.events} --rounds ${values.rounds} --seconds ${values.seconds}`;
  const text = `${markdown(rows)}\nCommand: \`${command}\`.\n`;
  const out = path.resolve(values.out);
  await mkdir(out, { recursive: true });
  await writeFile(path.join(out, 'results.md'), text);
  await writeFile(path.join(out, 'results.svg'), chart(rows));
  console.log(text);
} finally {
  progress.end();
  for (const each of running.values()) each.stop();
  await data.close();
}
process.exit(0);

import type { Progress } from '../packages/command-line/src/index.ts';
import { Calm } from './calm.ts';
import type { BenchData } from './database.ts';
import type { Pair } from './inspect.ts';
import { shoot } from './load.ts';
import { type RunningPeer, startPeers, stopPeers } from './peers.ts';
import { residentMemory, treeCpu } from './processes.ts';
import type { Peer } from './questions.ts';
import { requestOf } from './request.ts';
import type { Settings } from './settings.ts';

/** One question for one peer in one round. Throughput in requests per second, CPU in µs per request, times in ms, memory in MB. */
export interface Measured {
  question: string;
  peer: Peer;
  throughput: number;
  statements: number;
  serverCpu: number;
  databaseCpu: number;
  /** What the load generator itself uses, on the same cores. */
  loadCpu: number;
  p50: number;
  p99: number;
  memory: number;
}

type Rounds = Pick<Settings, 'peers' | 'profile' | 'rounds' | 'seconds' | 'connections'>;

/** The measurements, and how much the machine was disturbed. */
export interface Outcome {
  measured: Measured[];
  calm: Calm;
}

/** Measures each pair once in each round; the peers take turns at being first. */
export async function measureRounds(
  data: BenchData,
  settings: Rounds,
  pairs: Pair[],
  progress: Progress,
): Promise<Outcome> {
  const running = await startPeers(settings.peers, data, { profile: settings.profile });
  const of = ({ peer }: Pair) => running.get(peer) as RunningPeer;
  const rates = new Map<Pair, number>();
  const takeTurns = async (group: Pair[]): Promise<Measured[]> => {
    const figures: Measured[] = [];
    for (const pair of group) {
      const each = await measure(data, of(pair), pair, settings, rates.get(pair) ?? 1);
      rates.set(pair, each.throughput);
      figures.push(each);
    }
    return figures;
  };
  try {
    progress.begin('warm-up', pairs.length);
    for (const pair of pairs) {
      rates.set(pair, await warmUp(pair, of(pair), settings.connections));
      progress.advance(1);
    }
    const measured: Measured[] = [];
    const groups = [...Map.groupBy(pairs, ({ question }) => question).values()];
    const calm = new Calm(groups.length * settings.rounds);
    progress.begin('rounds', pairs.length * settings.rounds);
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const each of running.values()) await each.renew();
      for (const group of groups) {
        measured.push(...(await calm.measure(() => takeTurns(rotate(group, round)))));
        progress.advance(group.length);
      }
    }
    return { measured, calm };
  } finally {
    progress.end();
    await stopPeers(running);
  }
}

/** Each round starts with another peer, since a measurement may affect the next one. */
function rotate(group: Pair[], round: number): Pair[] {
  const first = round % group.length;
  return [...group.slice(first), ...group.slice(0, first)];
}

/** Warms up until code is compiled and pages are cached; returns the throughput in requests per second. */
async function warmUp({ ask }: Pair, running: RunningPeer, connections: number): Promise<number> {
  const request = requestOf(running, ask);
  // with cold caches requests are slow, and some of many waiting requests would be refused
  await shoot(request, 1, 2);
  const cold = await shoot(request, connections, connections * 2);
  const warm = await shoot(request, connections, Math.max(connections, Math.round((cold.total * 1000) / cold.elapsed)));
  return (warm.total * 1000) / warm.elapsed;
}

async function measure(
  { postmaster }: BenchData,
  running: RunningPeer,
  { question, peer, ask, statements }: Pair,
  { connections, seconds }: Rounds,
  rate: number,
): Promise<Measured> {
  const cpu = () => ({
    server: treeCpu(running.pid) * 1000,
    database: postmaster === null ? Number.NaN : treeCpu(postmaster) * 1000,
    load: process.cpuUsage(),
  });
  const before = cpu();
  const amount = Math.max(connections, Math.round(rate * seconds));
  const { total, elapsed, p50, p99 } = await shoot(requestOf(running, ask), connections, amount);
  const after = cpu();
  const load = after.load.user - before.load.user + after.load.system - before.load.system;
  return {
    question: question.name,
    peer,
    throughput: (total * 1000) / elapsed,
    statements,
    serverCpu: (after.server - before.server) / total,
    databaseCpu: (after.database - before.database) / total,
    loadCpu: load / total,
    p50,
    p99,
    memory: residentMemory(running.pid),
  };
}

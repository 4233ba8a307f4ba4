import { createProgress } from '../src/db/progress.ts';
import { Calm } from './calm.ts';
import type { RunningPeer } from './peers.ts';
import { treeCpu } from './processes.ts';
import { figure, median, table } from './report.ts';
import type { Settings } from './settings.ts';
import { shootEach, type WriteRequest } from './write-load.ts';

const peers = ['limit', 'gateway'] as const;
type Peer = (typeof peers)[number];

/** A request in the form for the limit and for the service. */
export interface TurnQuestion {
  name: string;
  title: string;
  asks: Record<Peer, Omit<WriteRequest, 'method'> & { method?: string }>;
}

/** Units as in `rounds.ts`. */
interface Measured {
  name: string;
  peer: Peer;
  throughput: number;
  serverCpu: number;
  databaseCpu: number;
  p50: number;
  p99: number;
}

export interface Turns {
  measured: Measured[];
  calm: Calm;
}

/** How many requests of each question are sent to a peer in a round, per second of the setting. */
const amount = 2_000;

/** Sends each question to the limit and to the service in turn, round by round. */
export async function takeTurns(
  asked: TurnQuestion[],
  running: Record<Peer, RunningPeer>,
  postmaster: number | null,
  { rounds, seconds, connections }: Settings,
): Promise<Turns> {
  const progress = createProgress();
  const calm = new Calm(asked.length * rounds);
  const measured: Measured[] = [];
  const measure = async ({ name, asks }: TurnQuestion, peer: Peer): Promise<Measured> => {
    const { pid } = running[peer];
    const cpu = () => [treeCpu(pid), postmaster === null ? Number.NaN : treeCpu(postmaster)] as const;
    const requests = Array.from({ length: Math.ceil(amount * seconds) }, () => ({ method: 'GET', ...asks[peer] }));
    const before = cpu();
    const { total, elapsed, p50, p99 } = await shootEach(requests, connections);
    const after = cpu();
    const [serverCpu, databaseCpu] = [0, 1].map((at) => (((after[at] ?? 0) - (before[at] ?? 0)) * 1000) / total);
    const throughput = (total * 1000) / elapsed;
    return { name, peer, throughput, serverCpu: serverCpu ?? 0, databaseCpu: databaseCpu ?? 0, p50, p99 };
  };
  progress.begin('rounds', asked.length * (rounds + 1));
  // the first round warms up
  for (let round = 0; round <= rounds; round += 1) {
    for (const question of asked) {
      const figures = await calm.measure(async () => {
        const found: Measured[] = [];
        for (const peer of round % 2 === 0 ? peers : peers.toReversed()) found.push(await measure(question, peer));
        return found;
      });
      if (round > 0) measured.push(...figures);
      progress.advance(1);
    }
  }
  progress.end();
  return { measured, calm };
}

const of = (measured: Measured[], name: string, peer: Peer) =>
  measured.filter((each) => each.name === name && each.peer === peer);

/** The throughput of the service relative to the limit, round by round. */
export function turnRatios(measured: Measured[], name: string): number[] {
  const limit = of(measured, name, 'limit');
  return of(measured, name, 'gateway').map(
    ({ throughput }, round) => throughput / (limit[round]?.throughput ?? Number.NaN),
  );
}

/** The medians of everything measured. */
export function turnTable(asked: TurnQuestion[], measured: Measured[]): string {
  return table(
    ['question', 'peer', 'requests per second', 'server CPU', 'PostgreSQL CPU', 'p50', 'p99'],
    asked.flatMap(({ name }) =>
      peers.map((peer) => {
        const rows = of(measured, name, peer);
        const cell = (pick: (each: Measured) => number, digits = 0) => figure(median(rows.map(pick)), digits);
        return [
          ...[name, peer, cell((each) => each.throughput), cell((each) => each.serverCpu)],
          ...[cell((each) => each.databaseCpu), cell((each) => each.p50, 1), cell((each) => each.p99, 1)],
        ];
      }),
    ),
  );
}

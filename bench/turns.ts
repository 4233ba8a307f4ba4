import { createProgress } from '../packages/command-line/src/index.ts';
import { Calm } from './calm.ts';
import { devicesFor } from './devices.ts';
import type { RunningPeer } from './peers.ts';
import { treeCpu } from './processes.ts';
import { isCopy, type Peer, type Without } from './questions.ts';
import { figure, median, ratioTable, table } from './report.ts';
import type { Settings } from './settings.ts';
import { shootEach, type WriteRequest } from './write-load.ts';

/** A request in the form for the limit and for the service. */
export interface TurnQuestion {
  name: string;
  title: string;
  asks: Record<'limit' | 'gateway', Omit<WriteRequest, 'method'> & { method?: string }>;
}

/** The copies of the service that take turns, too: each lacks a device that is about reads. */
export function copiesOf({ without }: Settings): Without[] {
  const names = without.includes('each') ? devicesFor('reads') : without;
  return names.map((name): Without => `without ${name}`);
}

/** Those questions that were asked for. */
export function chosen(questions: TurnQuestion[], { only }: Settings): TurnQuestion[] {
  return questions.filter(({ name }) => only.length === 0 || only.includes(name));
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

/** Sends each question to the limit, to the service and to its copies in turn, round by round. */
export async function takeTurns(
  asked: TurnQuestion[],
  running: ReadonlyMap<Peer, RunningPeer>,
  postmaster: number | null,
  { rounds, seconds, connections }: Settings,
): Promise<Turns> {
  const peers = [...running.keys()];
  const progress = createProgress();
  const calm = new Calm(asked.length * rounds);
  const measured: Measured[] = [];
  const measure = async ({ name, asks }: TurnQuestion, peer: Peer): Promise<Measured> => {
    const { pid, url } = running.get(peer) as RunningPeer;
    const ask = asks[peer === 'limit' ? 'limit' : 'gateway'];
    const request = {
      method: 'GET',
      ...ask,
      url: new URL(new URL(ask.url).pathname + new URL(ask.url).search, url).href,
    };
    const cpu = () => [treeCpu(pid), postmaster === null ? Number.NaN : treeCpu(postmaster)] as const;
    const requests = Array.from({ length: Math.ceil(amount * seconds) }, () => request);
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
        const first = round % peers.length;
        for (const peer of [...peers.slice(first), ...peers.slice(0, first)]) found.push(await measure(question, peer));
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

/** The throughput of the service relative to that of the limit or of a copy, for each question round by round. */
export function turnRatios({ measured }: Turns, asked: TurnQuestion[], other: Peer = 'limit'): string {
  const ratios = (name: string) => {
    const others = of(measured, name, other);
    return of(measured, name, 'gateway').map(
      ({ throughput }, round) => throughput / (others[round]?.throughput ?? Number.NaN),
    );
  };
  return ratioTable(asked, ratios, other);
}

/** The medians of everything measured, and first the service beside its copies. */
export function turnTables(asked: TurnQuestion[], turns: Turns): string {
  const peers = [...new Set(turns.measured.map(({ peer }) => peer))];
  const besideCopies = peers
    .filter(isCopy)
    .map((copy) => `The service beside itself ${copy}, in the same rounds:\n\n${turnRatios(turns, asked, copy)}\n`);
  const order = ['limit', 'gateway', ...peers.filter(isCopy)] as const;
  const medians = table(
    ['question', 'peer', 'requests per second', 'server CPU', 'PostgreSQL CPU', 'p50', 'p99'],
    asked.flatMap(({ name }) =>
      order.map((peer) => {
        const rows = of(turns.measured, name, peer);
        const cell = (pick: (each: Measured) => number, digits = 0) => figure(median(rows.map(pick)), digits);
        return [
          ...[name, peer, cell((each) => each.throughput), cell((each) => each.serverCpu)],
          ...[cell((each) => each.databaseCpu), cell((each) => each.p50, 1), cell((each) => each.p99, 1)],
        ];
      }),
    ),
  );
  return `${besideCopies.join('')}CPU in µs per request, times in ms.\n\n${medians}`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { withClient } from '../src/db/client.ts';
import { type Crowd, prepareCrowds } from './crowd.ts';
import { openBenchDatabase } from './database.ts';
import { type RunningPeer, startPeers, stopPeers } from './peers.ts';
import { residentMemory, treeCpu } from './processes.ts';
import { figure, median, origin, save, table } from './report.ts';
import type { Settings } from './settings.ts';
import { StreamReader, type ToldChange } from './stream-reader.ts';
import { headersOf } from './tokens.ts';
import { shootEach } from './write-load.ts';

const sizes = { organizations: 50, members: 20, managers: 2, events: 4 };
const streams = sizes.organizations * sizes.members;
/** Writes per second, and for how many seconds. */
const load = { rate: 100, seconds: 15 };

interface Measured {
  writes: number;
  rate: number;
  delivered: number;
  /** Milliseconds from just before the commit to the reader. */
  p50: number;
  p99: number;
  /** Server CPU per delivered change in µs, without that of the writes. */
  cpu: number;
  /** KB of resident memory. */
  memory: number;
}

/** Measures a thousand open streams of changes; returns the report. */
export async function measureLive(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  try {
    const crowds = await withClient(data.url, (client) => prepareCrowds(client, sizes));
    const running = await startPeers(['gateway'], data, {
      profile: settings.profile,
      // all clients have one address
      env: { MAX_CONNECTIONS_PER_NETWORK: '4000' },
    });
    const gateway = running.get('gateway') as RunningPeer;
    try {
      // code is compiled and access is cached
      await write(gateway, crowds);
      const rounds: Measured[] = [];
      for (let round = 0; round < settings.rounds; round += 1) rounds.push(await measure(gateway, crowds));
      const text = report(rounds, settings);
      await save(settings.out, { 'live.md': text });
      return text;
    } finally {
      await stopPeers(running);
    }
  } finally {
    await data.close();
  }
}

/** Writes at a steady rate; returns how many, how many a second, and the CPU that the server used. */
async function write(gateway: RunningPeer, crowds: Crowd[]): Promise<{ writes: number; rate: number; cpu: number }> {
  const writes = load.rate * load.seconds;
  const before = treeCpu(gateway.pid);
  const begun = performance.now();
  // a machine that is too slow lowers the rate, which is told
  const turns = pLimit(16);
  const sent: Promise<unknown>[] = [];
  for (let number = 0; number < writes; number += 1) {
    const { organization, managers, events } = crowds[number % crowds.length] as Crowd;
    const turn = Math.floor(number / crowds.length);
    const headers = await headersOf(managers[turn % managers.length] as string, organization);
    const url = `${gateway.url}/events/${events[turn % events.length]}`;
    const body = JSON.stringify({ description: `${Math.random()}` });
    sent.push(turns(() => shootEach([{ url, method: 'PATCH', headers, body }], 1)));
    await sleep(Math.max(0, begun + (number * 1000) / load.rate - performance.now()));
  }
  await Promise.all(sent);
  const rate = (writes * 1000) / (performance.now() - begun);
  return { writes, rate, cpu: (treeCpu(gateway.pid) - before) * 1000 };
}

async function measure(gateway: RunningPeer, crowds: Crowd[]): Promise<Measured> {
  const alone = await write(gateway, crowds);
  await sleep(2_000);
  const empty = residentMemory(gateway.pid);
  const delays: number[] = [];
  const readers: StreamReader[] = [];
  for (const { organization, members } of crowds) {
    const told = (change: ToldChange) => void delays.push(Date.now() - Date.parse(change.occurred_at));
    const opened = members.map((member) => new StreamReader(() => headersOf(member, organization), told));
    await Promise.all(opened.map((reader) => reader.open(gateway.url)));
    readers.push(...opened);
  }
  await Promise.all(readers.map((reader) => reader.ready()));
  await sleep(2_000);
  const memory = ((residentMemory(gateway.pid) - empty) * 1024) / streams;
  const { writes, rate, cpu } = await write(gateway, crowds);
  const wanted = writes * sizes.members;
  for (let waited = 0; delays.length < wanted && waited < 100; waited += 1) await sleep(100);
  if (delays.length !== wanted) throw new Error(`${delays.length} changes arrived instead of ${wanted}.`);
  for (const reader of readers) reader.close();
  await sleep(2_000);
  const sorted = Float64Array.from(delays).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { writes, rate, delivered: wanted, p50: at(0.5), p99: at(0.99), cpu: (cpu - alone.cpu) / wanted, memory };
}

function report(rounds: Measured[], { command }: Settings): string {
  const cells = (pick: (each: Measured) => number, digits = 0) => [
    figure(median(rounds.map(pick)), digits),
    `${figure(Math.min(...rounds.map(pick)), digits)}–${figure(Math.max(...rounds.map(pick)), digits)}`,
  ];
  return `# Open streams of changes

${streams} streams of members in ${sizes.organizations} organizations, and ${load.rate} writes a second (PATCH of an event), each of which ${sizes.members} streams tell; rounds: ${rounds.length}, each
with ${load.seconds} s of the same writes without and with streams. Every change arrived at each of its readers once. Times are from just before the commit (\`occurred_at\`)
until the client has read the change; service, PostgreSQL, writers and readers share the machine.

${origin(command)}
${table(
  ['', 'median', 'min–max'],
  [
    ['writes a second', ...cells(({ rate }) => rate)],
    ['changes delivered in a round', ...cells(({ delivered }) => delivered)],
    ['from commit to reader, p50, ms', ...cells(({ p50 }) => p50)],
    ['from commit to reader, p99, ms', ...cells(({ p99 }) => p99)],
    ['server CPU per delivered change, µs', ...cells(({ cpu }) => cpu)],
    ['memory per stream, KB', ...cells(({ memory }) => memory)],
  ],
)}`;
}

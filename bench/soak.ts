import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { PoolClient } from 'pg';
import { withClient } from '../src/db/client.ts';
import { type Crowd, prepareCrowds } from './crowd.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { type RunningPeer, startPeers } from './peers.ts';
import { residentMemory } from './processes.ts';
import { figure, origin, save, table } from './report.ts';
import { countsOf } from './settings.ts';
import { faultsOfFeed, faultsOfHooks, faultsOfReaders, type Logged, logSince, type SoakReader } from './soak-check.ts';
import { createHooks } from './soak-hooks.ts';
import { type Written, writeUntil } from './soak-writers.ts';
import { StreamReader } from './stream-reader.ts';
import { headersOf } from './tokens.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    streams: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '20' },
    events: { type: 'string', default: '100000' },
    out: { type: 'string', default: 'bench/results' },
  },
});
const minutes = Number(values.minutes);
const organizations = 25;
const webhooks = { all: 20, dead: 5 };
/** How many samples a report shows at most. */
const mostLines = 30;
/** Milliseconds after which the second process is killed again, and that everybody gets to catch up at the end. */
const times = { kill: 30_000, catchUp: 150_000 };

/** What the first process, which is never killed, uses. */
interface Sample {
  second: number;
  memory: number;
  handles: number;
  /** Of both processes to the database, and of the soak itself. */
  connections: number;
  open: number;
}

/** Runs streams, webhooks, writers and a process that keeps dying for some minutes; fails if anything was lost. */
async function soak(data: BenchData, client: PoolClient): Promise<string> {
  const members = Math.ceil(Number(values.streams) / organizations);
  const crowds = await prepareCrowds(client, { organizations, managers: 2, members, events: 10 });
  const env = {
    WEBHOOK_ALLOW: '127.0.0.1/32',
    STREAMS: '2000',
    // all clients have one address
    MAX_CONNECTIONS_PER_NETWORK: '4000',
    BYTES_PER_MINUTE_MIB: '1000000',
    BYTES_PER_DAY_MIB: '1000000',
  };
  const first = await startSupervised(data, env);
  let second: RunningPeer | null = await startSupervised(data, env);
  const urls = () => (second ? [first.url, second.url] : [first.url]);
  const hooks = await createHooks(first.url, crowds.slice(0, webhooks.all), webhooks.dead);
  const ending = new AbortController();
  const from = await endOf(client);
  const readers = crowds.flatMap((crowd) => crowd.members.map((member) => readerOf(crowd, member)));
  const running = readers.map((reader) => keepReading(reader, urls, ending.signal));
  while (readers.some(({ stream }) => stream.last === null)) await sleep(100);

  const stopWriting = new AbortController();
  const writing = writeUntil(stopWriting.signal, { urls, crowds, rate: Number(values.rate) });
  const samples: Sample[] = [];
  const begun = Date.now();
  let kills = 0;
  while (Date.now() - begun < minutes * 60_000) {
    await sleep(times.kill);
    samples.push({
      second: Math.round((Date.now() - begun) / 1000),
      memory: residentMemory(first.pid),
      handles: readdirSync(`/proc/${first.pid}/fd`).length,
      connections: await countConnections(client),
      open: readers.filter(({ stream }) => stream.isOpen).length,
    });
    const killed = second;
    second = null;
    process.kill(killed.pid, 'SIGKILL');
    await killed.stop();
    kills += 1;
    second = await startSupervised(data, env);
  }
  stopWriting.abort();
  const written = await writing;
  const watched = crowds.map(({ organization }) => organization);
  // read again each time: a write whose client gave up may still be committed
  let log = await logSince(client, watched, from);
  const look = async () => {
    log = await logSince(client, watched, from);
    return [...faultsOfReaders(readers, log), ...faultsOfHooks(hooks.got, log)];
  };
  for (const deadline = Date.now() + times.catchUp; (await look()).length > 0 && Date.now() < deadline; )
    await sleep(1_000);
  const faults = [...(await look()), ...(await faultsOfFeed(first.url, crowds, log))];
  ending.abort();
  for (const { stream } of readers) stream.close();
  await Promise.all(running);
  await Promise.all([first.stop(), second.stop()]);
  hooks.close();
  return report({ written, log, samples, kills, faults, readers, repeated: hooks.repeated() });
}

/** Starts a process, again after a start that failed: on a busy machine the database may give no connection in time. */
async function startSupervised(data: BenchData, env: Record<string, string>): Promise<RunningPeer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await startPeers(['gateway'], data, { env })).get('gateway') as RunningPeer;
    } catch (error) {
      if (attempt === 5) throw error;
      console.warn(`a start failed, the next one follows: ${error}`);
      await sleep(2_000);
    }
  }
}

async function endOf(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ seq: string }>('select coalesce(max(seq), 0) as seq from change');
  return rows[0]?.seq ?? '0';
}

async function countConnections(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows[0]?.count ?? 0;
}

function readerOf({ organization }: Crowd, member: string): SoakReader {
  const told: string[] = [];
  const stream = new StreamReader(
    () => headersOf(member, organization),
    ({ id }) => void told.push(id),
  );
  return { organization, member, stream, told, opened: 0 };
}

/** Connects to any process, for some seconds up to a minute, and again. */
async function keepReading(reader: SoakReader, urls: () => string[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const all = urls();
    try {
      await reader.stream.open(all[Math.floor(Math.random() * all.length)] as string);
      reader.opened += 1;
      // the first event is its place: before it there is nothing to go on from
      if (reader.stream.last === null) await reader.stream.ready();
      await reader.stream.closed(5_000 + Math.random() * 55_000);
      reader.stream.close();
    } catch {
      // the process is gone, or full for the moment
    }
    if (!signal.aborted) await sleep(100 + Math.random() * 2_000);
  }
}

interface Outcome {
  written: Written;
  log: Logged[];
  samples: Sample[];
  kills: number;
  faults: string[];
  readers: SoakReader[];
  repeated: number;
}

function report({ written, log, samples, kills, faults, readers, repeated }: Outcome): string {
  const told = readers.reduce((sum, each) => sum + each.told.length, 0);
  const opened = readers.reduce((sum, each) => sum + each.opened, 0);
  const verdict =
    faults.length === 0
      ? 'Nothing was lost: every stream sent each change of its view once and those of an object in order, every live webhook got each change, and the feeds of managers are the rows of the log.'
      : `**${faults.length} faults:**\n\n${faults
          .slice(0, 30)
          .map((fault) => `- ${fault}\n`)
          .join('')}`;
  return `# Soak

${minutes} minutes: ${readers.length} streams of members in ${organizations} organizations that come and go, ${webhooks.all} webhooks of which ${webhooks.dead} lead nowhere, ${values.rate} writes a second by either API,
and two processes of the service, one of which was killed (SIGKILL) every ${times.kill / 1000} s, ${kills} times, and started again.

${verdict}

${written.done.toLocaleString('en')} writes (${written.refused} refused, ${written.lost} lost with a process), ${log.length.toLocaleString('en')} changes, ${told.toLocaleString('en')} sent by streams that were opened ${opened.toLocaleString('en')} times; ${repeated} deliveries came twice.

${origin(`npm run soak -- --minutes ${minutes} --streams ${values.streams} --rate ${values.rate} --events ${values.events}`)}
The process that was not killed:

${table(
  ['second', 'memory, MB', 'handles', 'connections to PostgreSQL, all', 'open streams, both processes'],
  samples
    .filter((_, index) => index % Math.ceil(samples.length / mostLines) === 0)
    .map((each) => [each.second, each.memory, each.handles, each.connections, each.open].map((value) => figure(value))),
)}`;
}

const data = await openBenchDatabase(countsOf(Number(values.events)), process.env.DATABASE_URL ?? null);
const text = await withClient(data.url, (client) => soak(data, client)).finally(() => data.close());
await save(values.out, { 'soak.md': text });
console.log(text);
process.exit(text.includes('faults:**') ? 1 : 0);

import { withClient } from '../src/db/client.ts';
import { createProgress } from '../src/db/progress.ts';
import { Calm } from './calm.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { copyOut, type Exported, exportFrom } from './export.ts';
import { type RunningPeer, startPeers, startServer, stopPeers } from './peers.ts';
import { treeCpu } from './processes.ts';
import { figure, median, origin, ratioTable, save, table } from './report.ts';
import type { Settings } from './settings.ts';
import { shootEach, type WriteRequest } from './write-load.ts';

const peers = ['limit', 'gateway'] as const;
type Peer = (typeof peers)[number];

/** The public data of the large organization. */
export interface PublicData extends BenchData {
  /** The slugs of the organization and of one of its events. */
  slug: string;
  event: string;
  pageBytes: number;
}

interface Question {
  name: string;
  title: string;
  asks: Record<Peer, Pick<WriteRequest, 'url' | 'headers' | 'status'>>;
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

/** How many requests of each question are sent to a peer in a round, per second of the setting. */
const amount = 2_000;

/** Measures requests without a token against bare statements, and an export of all events against `COPY`; returns the report. */
export async function measurePublic(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  const running = await startPeers(['gateway'], data, { profile: settings.profile });
  try {
    const gateway = running.get('gateway') as RunningPeer;
    const shown = { ...data, ...(await pickPublic(data)) };
    const page = await read(`${gateway.url}/o/${shown.slug}/${shown.event}`);
    const limit = await startServer('limit-public.ts', { ...shown, pageBytes: page.bytes } as PublicData);
    running.set('limit', limit);
    const asked = questions(gateway.url, limit.url, shown, page.tag);
    const { measured, calm } = await measureAll(asked, { gateway, limit }, data, settings);
    const exported: Exported[] = [];
    const copied: number[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      await gateway.renew();
      exported.push(await exportFrom(gateway));
      copied.push((await copyOut(data.url, data.organization)).rowsPerSecond);
    }
    const text = report(asked, measured, exported, copied, calm, settings);
    await save(settings.out, { 'public.md': text });
    return text;
  } finally {
    await stopPeers(running);
    await data.close();
  }
}

async function pickPublic({ url, organization }: BenchData): Promise<Pick<PublicData, 'slug' | 'event'>> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ slug: string; event: string }>(
      `select o.slug, e.slug as event from organization o join event e on e.organization_id = o.id
        where o.id = $1 and e.visibility = 'public' and e.status = 1 and e.registration = 'open' and e.date_start > now()
        order by e.date_start, e.id limit 1`,
      [organization],
    );
    if (!rows[0]) throw new Error('No event is public.');
    return rows[0];
  });
}

async function read(url: string, headers = {}): Promise<{ bytes: number; tag: string }> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { bytes: (await response.arrayBuffer()).byteLength, tag: response.headers.get('etag') ?? '' };
}

function questions(gateway: string, limit: string, data: Omit<PublicData, 'pageBytes'>, tag: string): Question[] {
  const organization = { 'x-organization-id': data.organization };
  const page = `${gateway}/o/${data.slug}/${data.event}`;
  return [
    {
      name: 'P1',
      title: 'public list of 20, REST',
      asks: {
        limit: { url: `${limit}/list`, headers: {} },
        gateway: { url: `${gateway}/public/events?limit=20`, headers: organization },
      },
    },
    {
      name: 'P2',
      title: 'public page of an event with its form, HTML',
      asks: { limit: { url: `${limit}/page`, headers: {} }, gateway: { url: page, headers: {} } },
    },
    {
      name: 'P2-304',
      title: 'the same page, which the client has already',
      asks: {
        limit: { url: `${limit}/known`, headers: {}, status: 304 },
        gateway: { url: page, headers: { 'if-none-match': tag }, status: 304 },
      },
    },
  ];
}

async function measureAll(
  asked: Question[],
  running: Record<Peer, RunningPeer>,
  { postmaster }: BenchData,
  { rounds, seconds, connections }: Settings,
): Promise<{ measured: Measured[]; calm: Calm }> {
  const progress = createProgress();
  const calm = new Calm(asked.length * rounds);
  const measured: Measured[] = [];
  const measure = async ({ name, asks }: Question, peer: Peer): Promise<Measured> => {
    const { pid } = running[peer];
    const cpu = () => [treeCpu(pid), postmaster === null ? Number.NaN : treeCpu(postmaster)] as const;
    const requests = Array.from({ length: Math.ceil(amount * seconds) }, () => ({ ...asks[peer], method: 'GET' }));
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

function report(
  asked: Question[],
  measured: Measured[],
  exported: Exported[],
  copied: number[],
  calm: Calm,
  { command, rounds, connections, counts }: Settings,
): string {
  const of = (name: string, peer: Peer) => measured.filter((each) => each.name === name && each.peer === peer);
  const ratios = (name: string) => {
    const limit = of(name, 'limit');
    return of(name, 'gateway').map(({ throughput }, round) => throughput / (limit[round]?.throughput ?? Number.NaN));
  };
  const middle = (pick: (each: Exported) => number) => median(exported.map(pick));
  const besideCopy = exported.map(({ rowsPerSecond }, round) => rowsPerSecond / (copied[round] ?? Number.NaN));
  return `# Public data and exports

${counts.events.toLocaleString('en')} events; ${connections} connections; rounds: ${rounds}, in each of which the limit and the service take turns; medians. The limit is plain
\`node:http\` and one statement per response, without rules.

${calm.summary()}

${origin(command)}
${ratioTable(asked, ratios)}
CPU in µs per request, times in ms.

${table(
  ['question', 'peer', 'requests per second', 'server CPU', 'PostgreSQL CPU', 'p50', 'p99'],
  asked.flatMap(({ name }) =>
    peers.map((peer) => {
      const rows = of(name, peer);
      const cell = (pick: (each: Measured) => number, digits = 0) => figure(median(rows.map(pick)), digits);
      return [
        ...[name, peer, cell((each) => each.throughput), cell((each) => each.serverCpu)],
        ...[cell((each) => each.databaseCpu), cell((each) => each.p50, 1), cell((each) => each.p99, 1)],
      ];
    }),
  ),
)}
## X1 an export of all events of the organization as CSV

${figure(middle(({ rows }) => rows))} rows, ${figure(middle(({ megabytes }) => megabytes))} MB. Rows per second: ${figure(middle(({ rowsPerSecond }) => rowsPerSecond))}; \`COPY … TO STDOUT\` of the same rows in the same order, read by the load generator: ${figure(median(copied))}.
**Relative to \`COPY\`: ${figure(median(besideCopy), 2)} ×** (${figure(Math.min(...besideCopy), 2)}–${figure(Math.max(...besideCopy), 2)}). Server CPU: ${figure(
    middle(({ serverCpu }) => serverCpu),
    1,
  )} µs per row. Maximum resident memory of the server: ${figure(Math.max(...exported.map(({ memory }) => memory)))} MB.
`;
}

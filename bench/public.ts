import { withClient } from '../src/db/client.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { copyOut, type Exported, exportFrom } from './export.ts';
import { type RunningPeer, startPeers, startServer, stopPeers } from './peers.ts';
import { figure, median, origin, save } from './report.ts';
import type { Settings } from './settings.ts';
import { chosen, copiesOf, type TurnQuestion, type Turns, takeTurns, turnRatios, turnTables } from './turns.ts';

/** The public data of the large organization. */
export interface PublicData extends BenchData {
  /** The slugs of the organization and of one of its events. */
  slug: string;
  event: string;
  pageBytes: number;
}

/** Measures requests without a token against bare statements, and an export of all events against `COPY`; returns the report. */
export async function measurePublic(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, process.env.DATABASE_URL ?? null);
  const running = await startPeers(['gateway', ...copiesOf(settings)], data, { profile: settings.profile });
  try {
    const gateway = running.get('gateway') as RunningPeer;
    const shown = { ...data, ...(await pickPublic(data)) };
    const page = await read(`${gateway.url}/o/${shown.slug}/${shown.event}`);
    const limit = await startServer('limit-public.ts', { ...shown, pageBytes: page.bytes } as PublicData);
    running.set('limit', limit);
    const asked = chosen(questions(gateway.url, limit.url, shown, page.tag), settings);
    const turns = await takeTurns(asked, running, data.postmaster, settings);
    const exported: Exported[] = [];
    const copied: number[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      await gateway.renew();
      exported.push(await exportFrom(gateway));
      copied.push((await copyOut(data.url, data.organization)).rowsPerSecond);
    }
    const text = report(asked, turns, exported, copied, settings);
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

function questions(gateway: string, limit: string, data: Omit<PublicData, 'pageBytes'>, tag: string): TurnQuestion[] {
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

function report(
  asked: TurnQuestion[],
  turns: Turns,
  exported: Exported[],
  copied: number[],
  { command, rounds, connections, counts }: Settings,
): string {
  const middle = (pick: (each: Exported) => number) => median(exported.map(pick));
  const besideCopy = exported.map(({ rowsPerSecond }, round) => rowsPerSecond / (copied[round] ?? Number.NaN));
  return `# Public data and exports

${counts.events.toLocaleString('en')} events; ${connections} connections; rounds: ${rounds}, in each of which the limit and the service take turns; medians. The limit is plain
\`node:http\` and one statement per response, without rules.

${turns.calm.summary()}

${origin(command)}
${turnRatios(turns, asked)}
${turnTables(asked, turns)}
## X1 an export of all events of the organization as CSV

${figure(middle(({ rows }) => rows))} rows, ${figure(middle(({ megabytes }) => megabytes))} MB. Rows per second: ${figure(middle(({ rowsPerSecond }) => rowsPerSecond))}; \`COPY … TO STDOUT\` of the same rows in the same order, read by the load generator: ${figure(median(copied))}.
**Relative to \`COPY\`: ${figure(median(besideCopy), 2)} ×** (${figure(Math.min(...besideCopy), 2)}–${figure(Math.max(...besideCopy), 2)}). Server CPU: ${figure(
    middle(({ serverCpu }) => serverCpu),
    1,
  )} µs per row. Maximum resident memory of the server: ${figure(Math.max(...exported.map(({ memory }) => memory)))} MB.
`;
}

import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withClient } from '../src/db/client.ts';
import { createProgress } from '../src/db/progress.ts';
import { Calm } from './calm.ts';
import { findCursors } from './cursors.ts';
import { type BenchData, openBenchDatabase } from './database.ts';
import { shoot } from './load.ts';
import { type RunningPeer, startPeers, stopPeers } from './peers.ts';
import { treeCpu } from './processes.ts';
import { askOf, questions } from './questions.ts';
import { figure, median, origin, save, table } from './report.ts';
import { requestOf } from './request.ts';
import type { Settings } from './settings.ts';
import { shootEach } from './write-load.ts';

const forms = ['off', 'on'] as const;
type Form = (typeof forms)[number];
type Running = Record<Form, RunningPeer>;

/** Throughput in requests a second, CPU in ms a request. */
interface Figures {
  throughput: number;
  server: number;
  database: number;
}

/** The questions, besides the write. */
const reads = ['Q1', 'Q4', 'Q5', 'Q6'];
const write = { name: 'W', title: 'an event is made, REST' };
const madeName = 'Made to measure a write';

/** Measures what row-level security costs: two services, without and with it, take turns; returns the report. */
export async function measureRowSecurity(settings: Settings): Promise<string> {
  const data = await openBenchDatabase(settings.counts, null);
  try {
    const url = await secure(data);
    const running = {} as Running;
    try {
      running.off = await start(data, {});
      running.on = await start(data, { DATABASE_URL: url, DATABASE_ROW_SECURITY: 'on' });
      const results = await measureAll(data, running, settings);
      await run(data, 'row-security-search.sql');
      for (const [title, figures] of await measureAll(data, running, { ...settings, only: ['Q5'] })) {
        results.set(`${title}, with \`row-security-search.sql\``, figures);
      }
      const text = report(results, settings);
      await save(settings.out, { 'row-security.md': text });
      return text;
    } finally {
      await stopPeers(new Map(Object.entries(running)) as never);
      await withClient(data.url, (client) => client.query('delete from event where name = $1', [madeName]));
      await run(data, 'row-security-off.sql');
    }
  } finally {
    await data.close();
  }
}

/** Turns it on for a role of its own; returns its URL. */
async function secure(data: BenchData): Promise<string> {
  const password = randomBytes(16).toString('hex');
  await withClient(superuser(data), async (client) => {
    const { rows } = await client.query<{ role: string }>(
      `select rolname as role from pg_roles where rolname ~ '^events_'`,
    );
    const known = new Set(rows.map(({ role }) => role));
    for (const role of ['events_owner', 'events_service', 'events_scoped']) {
      if (!known.has(role)) await client.query(`create role ${role} login noinherit`);
    }
    await client.query(`alter role events_scoped password '${password}'`);
    await client.query('grant usage on schema public to events_service');
    await client.query('grant select, insert, update, delete on all tables in schema public to events_service');
  });
  await run(data, 'row-security.sql');
  const url = new URL(data.url);
  Object.assign(url, { username: 'events_scoped', password });
  return url.href;
}

async function run(data: BenchData, name: string): Promise<void> {
  const text = await readFile(path.join(import.meta.dirname, '..', 'ops', 'postgres', name), 'utf8');
  await withClient(superuser(data), async (client) => {
    for (const statement of text.split(/(?<=;)\n\n/)) await client.query(statement);
  });
}

function superuser({ superuserUrl }: BenchData): string {
  if (superuserUrl === null) throw new Error('--row-security needs the embedded PostgreSQL.');
  return superuserUrl;
}

async function start(data: BenchData, env: Record<string, string>): Promise<RunningPeer> {
  const unbounded = { RATE_LIMIT: 'off', BYTES_PER_MINUTE_MIB: '1000000', BYTES_PER_DAY_MIB: '1000000' };
  return (await startPeers(['gateway'], data, { env: { ...unbounded, ...env } })).get('gateway') as RunningPeer;
}

async function measureAll(
  data: BenchData,
  running: Running,
  { rounds, seconds, connections, only }: Settings,
): Promise<Map<string, Record<Form, Figures[]>>> {
  const asked = questions(data, await findCursors(data, new Map())).filter(({ name }) => reads.includes(name));
  const shots = [
    ...asked.map((question) => ({
      title: `${question.name} ${question.title}`,
      shoot: (peer: RunningPeer, amount: number) =>
        shoot(requestOf(peer, askOf(question, 'gateway') as never), connections, amount),
    })),
    {
      title: `${write.name} ${write.title}`,
      shoot: (peer: RunningPeer, amount: number) =>
        shootEach(
          Array.from({ length: amount }, () => making(peer)),
          connections,
        ),
    },
  ].filter(({ title }) => only.length === 0 || only.includes(title.split(' ')[0] as string));
  const results = new Map<string, Record<Form, Figures[]>>();
  const calm = new Calm(rounds * shots.length);
  const progress = createProgress();
  progress.begin('rounds', (rounds + 1) * shots.length);
  const amounts = new Map<string, number>();
  // the first round warms up, and tells how many requests a second are
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of shots) {
      const turns = round % 2 === 0 ? forms : forms.toReversed();
      await calm.measure(async () => {
        for (const form of turns) {
          const amount = Math.max(connections, amounts.get(each.title) ?? 50);
          const found = await measure(data, running[form], () => each.shoot(running[form], amount));
          if (round === 0) amounts.set(each.title, Math.round(found.throughput * seconds));
          const known = results.get(each.title) ?? { off: [], on: [] };
          results.set(each.title, known);
          if (round > 0) known[form].push(found);
        }
      });
      progress.advance(1);
    }
  }
  progress.end();
  return results;
}

async function measure(
  { postmaster }: BenchData,
  { pid }: RunningPeer,
  shot: () => Promise<{ total: number; elapsed: number }>,
): Promise<Figures> {
  const cpu = () => ({ server: treeCpu(pid), database: postmaster === null ? Number.NaN : treeCpu(postmaster) });
  const before = cpu();
  const { total, elapsed } = await shot();
  const after = cpu();
  return {
    throughput: (total * 1000) / elapsed,
    server: (after.server - before.server) / total,
    database: (after.database - before.database) / total,
  };
}

function making({ url, headers }: RunningPeer) {
  const times = { date_start: '2031-05-05T17:00:00Z', date_end: '2031-05-05T19:00:00Z' };
  const body = JSON.stringify({ name: madeName, slug: `made-${randomUUID()}`, ...times });
  return { url: `${url}/events`, method: 'POST', headers, body };
}

function report(results: Map<string, Record<Form, Figures[]>>, settings: Settings): string {
  const { command, rounds, connections, counts } = settings;
  const ratios = ({ off, on }: Record<Form, Figures[]>, of: keyof Figures) =>
    on.map((each, round) => each[of] / (off[round]?.[of] ?? Number.NaN)).filter(Number.isFinite);
  const spread = (values: number[]) =>
    `${figure(median(values), 2)} × (${figure(Math.min(...values), 2)}–${figure(Math.max(...values), 2)})`;
  return `# What row-level security costs

${counts.events.toLocaleString('en')} events, of which one organization has half, and ${connections} connections; rounds: ${rounds}, in each of which two services on the same database take
turns at being first: without \`DATABASE_ROW_SECURITY\`, as the owner of the tables, and with it. Each figure is that with it relative to that without in the
same round: the median, with minimum and maximum.

${origin(command)}
${table(
  ['', 'throughput', 'CPU of the service', 'CPU of PostgreSQL'],
  [...results].map(([title, both]) => [
    title,
    spread(ratios(both, 'throughput')),
    spread(ratios(both, 'server')),
    spread(ratios(both, 'database')),
  ]),
)}
`;
}

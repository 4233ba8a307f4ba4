import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { completeSecrets } from '../src/config/secrets.ts';
import { readSettings } from '../src/config/settings.ts';
import { type DemoAccount, ensureDemo } from '../src/db/demo/demo.ts';
import { openDatabase } from '../src/db/open.ts';
import { serviceConnections } from '../src/db/options.ts';
import { createOrm } from '../src/db/orm.ts';
import { startService } from '../src/main/service.ts';

// Counts the files of `src` that one warm request passes through until its response has arrived, all of which a reader who follows
// it must open; and the further ones that run behind it: what the request has started, such as its mails. Run it with `--no-opt`:
// calls that V8 has inlined are not counted.

/** A request. It may depend on the turn, since a user can subscribe to an event only once. */
interface Asked {
  name: string;
  send(turn: number): Promise<unknown>;
}

/** Repeated, to exclude the service's timers: only files that every request enters count. */
const times = { warm: 3, counted: 4 };
/** Milliseconds to wait after a response for its aftermath, which is gathered first: mails, deliveries, log lines. */
const rest = 250;

const source = pathToFileURL(`${path.join(import.meta.dirname, '..', 'src')}${path.sep}`).href;
const profiler = new Session();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-files-'));
  const settings = readSettings({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  const database = await openDatabase(settings.database);
  const orm = await createOrm({ url: database.url, ...serviceConnections(settings.bounds) });
  try {
    const [owner] = (await ensureDemo(orm)) ?? [];
    const secrets = await completeSecrets(settings.auth.secrets, dataDir);
    const service = await startService(orm, settings, secrets, pino({ level: 'silent' }));
    try {
      profiler.connect();
      await profiler.post('Profiler.enable');
      await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      for (const asked of await requests(service.url, owner as DemoAccount)) {
        const { entered, behind } = await filesEntered(asked);
        const further = behind.length > 0 ? `, and ${behind.length} behind its response` : '';
        console.log(`${String(entered.length).padStart(3)}  ${asked.name}${further}`);
        if (values.files) for (const file of entered) console.log(`     ${file}`);
        if (values.files) for (const file of behind) console.log(`   + ${file}`);
      }
    } finally {
      await service.stop();
    }
  } finally {
    await orm.close(true);
    await database.close();
    await rm(dataDir, { recursive: true });
  }
}

/** The files below `src` in which a function ran for every one of the requests. */
async function filesEntered({ send }: Asked): Promise<{ entered: string[]; behind: string[] }> {
  for (let turn = 0; turn < times.warm; turn += 1) await send(turn);
  const entered: string[][] = [];
  const behind: string[][] = [];
  for (let turn = times.warm; turn < times.warm + times.counted; turn += 1) {
    await sleep(rest);
    await filesSinceLast();
    await send(turn);
    entered.push(await filesSinceLast());
    await sleep(rest);
    behind.push(await filesSinceLast());
  }
  const always = inAll(entered);
  return { entered: always, behind: inAll(behind).filter((file) => !always.includes(file)) };
}

/** The files below `src` in which a function ran since the last call. */
async function filesSinceLast(): Promise<string[]> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]?.count));
  return ran.filter(({ url }) => url.startsWith(source)).map(({ url }) => url.slice(source.length));
}

function inAll([first = [], ...others]: string[][]): string[] {
  return first.filter((file) => others.every((each) => each.includes(file))).sort();
}

async function requests(url: string, { email, password, organization }: DemoAccount): Promise<Asked[]> {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-organization-id': organization };
  const get = async (target: string) => await answer(await fetch(url + target, { headers }));
  const post = async (target: string, body: object) =>
    await answer(await fetch(url + target, { method: 'POST', headers, body: JSON.stringify(body) }));
  const graphql = (query: string, variables: object) => post('/graphql', { query, variables });

  headers.authorization = `Bearer ${(await post('/auth/login', { email, password })).access_token}`;
  // one for each subscription, and one whose subscriptions are listed
  const events: string[] = [];
  for (let turn = 0; turn <= times.warm + times.counted; turn += 1) {
    const { id } = await post('/events', newEvent(turn));
    await answer(await fetch(`${url}/events/${id}`, { method: 'PATCH', headers, body: '{"status":1}' }));
    events.push(id);
  }
  const last = events.pop();
  await post(`/events/${last}/subscriptions`, {});
  const where = encodeURIComponent('{"status":1}');
  return [
    { name: 'GET /events', send: () => get('/events?limit=20') },
    { name: 'GET /events with a filter', send: () => get(`/events?limit=20&where=${where}`) },
    { name: 'GET /events/…/subscriptions with users', send: () => get(`/events/${last}/subscriptions?include=user`) },
    { name: 'POST /events', send: (turn) => post('/events', newEvent(turn)) },
    { name: 'a nested Relay page', send: () => graphql(nestedPage, { first: 20 }) },
    { name: 'subscribeToEvent', send: (turn) => graphql(subscribe, { event: globalId(events[turn]) }) },
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: each answer has a shape of its own
async function answer(response: Response): Promise<any> {
  const body = (await response.json()) as { errors?: unknown };
  if (!response.ok || body.errors) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(body)}`);
  return body;
}

function globalId(event: string | undefined): string {
  return Buffer.from(`Event:${event}`).toString('base64');
}

function newEvent(turn: number): object {
  return { name: `Event ${turn}`, date_start: '2031-05-03T10:00:00Z', date_end: '2031-05-03T14:00:00Z' };
}

const nestedPage = `query Page($first: Int!) {
  events(first: $first) {
    edges {
      cursor
      node {
        id name dateStart
        subscriptions(first: 5) { edges { cursor node { id status user { id name } } } pageInfo { endCursor hasNextPage } }
      }
    }
    pageInfo { endCursor hasNextPage }
  }
}`;

const subscribe = `mutation Subscribe($event: ID!) {
  subscribeToEvent(input: { eventId: $event }) { eventSubscription { id status } event { acceptedCount } }
}`;

await main();
process.exit(0);

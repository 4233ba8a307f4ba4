import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Turns } from '../../src/kernel/turns/turns.ts';
import { connectTo } from '../support/database.ts';
import { insertEvent } from '../support/fixtures.ts';
import { type Caller, callerHeaders, graphql, send } from '../support/send.ts';
import { createTeam, type Person, startTestServer, type TestServer } from '../support/server.ts';
import { inTest, shared } from '../support/shared.ts';

/** Asks for what a path of REST or a document of GraphQL reads. */
const asking =
  (asked: string) =>
  (server: TestServer, caller: Person, signal: AbortSignal | null = null) => {
    const headers = { 'content-type': 'application/json', ...callerHeaders(caller) };
    if (asked.startsWith('/')) return fetch(server.url + asked, { headers, signal });
    return fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: asked }), signal });
  };
const count = asking('/events/count');
/** Lists that read events. */
const faces = [
  { name: 'GET /events', ask: asking('/events?limit=1') },
  { name: 'GET /events/count', ask: count },
  { name: 'GraphQL events', ask: asking('{ events(first: 1) { nodes { name } } }') },
];

async function start(env: Record<string, string> = {}) {
  const server = await startTestServer({ env });
  const team = await createTeam(server);
  await insertEvent(server.orm, { organizationId: team.organizationId });
  const watcher = await watch(server);
  const close = async () => {
    await watcher.release();
    await watcher.close();
    await server.close();
  };
  await createTeam(server);
  return { server, team, watcher, close };
}

/** Sees what the service's connections do, and holds them up, from outside of it. */
async function watch({ databaseUrl }: TestServer) {
  const connected = () => connectTo(databaseUrl, { application_name: 'watcher' });
  // what a transaction sees of other connections stays as it was when it first looked
  const [locking, looking] = [await connected(), await connected()];
  const lock = async (statement: string) => {
    await locking.query('begin');
    await locking.query(statement);
  };
  const others = async (condition: string) => {
    const { rows } = await looking.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'events-gateway' and ${condition} order by pid`,
    );
    return rows.map(({ pid }) => pid);
  };
  const waiting = async () => (await others(`state = 'active' and wait_event_type = 'Lock'`)).length;
  return {
    /** Makes everybody wait who reads events. */
    lockEvents: () => lock('lock table event in access exclusive mode'),
    /** Makes whoever changes an organization wait. */
    lockOrganizations: () => lock('select from organization for update'),
    release: () => locking.query('rollback'),
    waiting,
    untilWaiting: async (count: number) => {
      while ((await waiting()) !== count) await delay(5);
    },
    /** The processes of the server that serve the service. */
    connections: () => others('true'),
    close: () => Promise.all([locking.end(), looking.end()]),
  };
}

const patient = { LOCK_TIMEOUT_SECONDS: '60', READ_TIMEOUT_SECONDS: '60', DATABASE_POOL_SIZE: '4' };
const hurried = await shared(start({ LOCK_TIMEOUT_SECONDS: '60', READ_TIMEOUT_SECONDS: '1' }));
// last: an organization alone may do more at once a while after others asked
const leaving = await shared(start(patient));

describe('of a client that goes away', () => {
  const { server, team, watcher } = leaving;
  afterEach(() => watcher.release());

  it.each(faces)('the statement ends, and its connection stays: $name', async ({ ask }) => {
    // compiled, where that is possible
    for (let run = 0; run < 4; run += 1) expect((await ask(server, team.manager)).status).toBe(200);
    const before = await watcher.connections();
    await watcher.lockEvents();
    const gone = new AbortController();
    const asked = ask(server, team.manager, gone.signal).catch(() => 'gone');
    await watcher.untilWaiting(1);
    gone.abort();
    expect(await asked).toBe('gone');
    await watcher.untilWaiting(0);
    await watcher.release();
    expect((await ask(server, team.manager)).status).toBe(200);
    expect(await watcher.connections()).toEqual(expect.arrayContaining(before));
  });

  it('what still waits for its turn never starts', async () => {
    await watcher.lockEvents();
    const turns = vi.spyOn(Turns.prototype, 'enter');
    onTestFinished(() => turns.mockRestore());
    const gone = new AbortController();
    const asked = Array.from({ length: 12 }, () => count(server, team.manager, gone.signal).catch(() => 'gone'));
    await watcher.untilWaiting(1);
    // all of them have come
    const counts = () => turns.mock.calls.filter(([{ work }]) => work === 'heavy').length;
    await expect.poll(() => counts(), { interval: 5 }).toBe(12);
    gone.abort();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['gone']));
    await watcher.untilWaiting(0);
    // nothing of it comes later
    for (let look = 0; look < 20; look += 1) {
      expect(await watcher.waiting()).toBe(0);
      await delay(5);
    }
  });

  it('nothing else is hit', { timeout: 120_000 }, async () => {
    const before = await watcher.connections();
    const { manager: stranger } = await createTeam(server);
    const { hostname, port } = new URL(server.url);
    const headers = Object.entries({ host: hostname, ...callerHeaders(team.manager) });
    const lines = ['GET /events/count HTTP/1.1', ...headers.map((header) => header.join(': ')), '', ''];
    let done = false;
    let left = 0;
    const leaver = async () => {
      for (; !done; left += 1) {
        const socket = connect(Number(port), hostname);
        socket.write(lines.join('\r\n'));
        await once(socket, 'connect');
        await delay(left % 7);
        socket.resetAndDestroy();
        await once(socket, 'close');
      }
    };
    const stayer = async () => {
      for (let round = 0; round < 100; round += 1) {
        for (const ask of [asking('/events'), count]) expect((await ask(server, stranger)).status).toBe(200);
      }
    };
    const leavers = [leaver(), leaver(), leaver()];
    await Promise.all([stayer(), stayer()]);
    done = true;
    await Promise.all(leavers);
    expect(await watcher.connections()).toEqual(expect.arrayContaining(before));
    expect(server.logLines.filter((line) => line.includes('its statements are cancelled')).length).toBeGreaterThan(0);
    expect(server.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

describe('that take too long', () => {
  const { server, team, watcher } = hurried;
  afterEach(() => watcher.release());

  it.each(faces)('are 503 with Retry-After, tried once, and logged: $name', async ({ ask }) => {
    for (let run = 0; run < 4; run += 1) expect((await ask(server, team.manager)).status).toBe(200);
    const before = await watcher.connections();
    await watcher.lockEvents();
    const started = performance.now();
    const answer = await ask(server, team.manager);
    // by the database's own clock one second; a second try would make it two
    expect(performance.now() - started).toBeGreaterThan(950);
    const body = await answer.text();
    expect([answer.status, body]).toEqual([503, expect.stringContaining('SERVICE_UNAVAILABLE')]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const requestId = answer.headers.get('x-request-id') as string;
    const logged = server.logLines.filter((line) => line.includes(requestId) && line.includes('57014'));
    expect(logged).toHaveLength(1);
    await watcher.release();
    expect((await ask(server, team.manager)).status).toBe(200);
    expect(await watcher.connections()).toEqual(expect.arrayContaining(before));
  });
});

describe('of a write', () => {
  const mutation = 'mutation { updateOrganization(input: {name: "Renamed"}) { organization { name } } }';
  const rest = (server: TestServer, owner: Caller) => send(server, owner, 'PATCH /organization', { name: 'Renamed' });
  const changes = [
    { name: 'PATCH /organization', change: rest },
    { name: 'updateOrganization', change: (server: TestServer, owner: Caller) => graphql(server, owner, mutation) },
  ];

  const startWith = async (env: Record<string, string>) => {
    const { server, team, watcher } = await inTest(start(env));
    await watcher.lockOrganizations();
    return { server, owner: team.owner, watcher };
  };

  it.each(changes)('may take longer than a read: $name', async ({ change }) => {
    const env = { READ_TIMEOUT_SECONDS: '1', LOCK_TIMEOUT_SECONDS: '30', WRITE_TIMEOUT_SECONDS: '30' };
    const { server, owner, watcher } = await startWith(env);
    const changing = change(server, owner);
    await watcher.untilWaiting(1);
    await delay(1_500);
    expect(await watcher.waiting()).toBe(1);
    await watcher.release();
    const { status, text } = await changing;
    expect([status, text]).toEqual([200, expect.stringContaining('Renamed')]);
  });

  const bounds = [
    { LOCK_TIMEOUT_SECONDS: '1', WRITE_TIMEOUT_SECONDS: '30' },
    { LOCK_TIMEOUT_SECONDS: '30', WRITE_TIMEOUT_SECONDS: '1' },
  ].flatMap((env) => changes.map((each) => ({ ...each, env })));
  it.each(bounds)('waits for a lock, and takes, no longer than is set: $name, $env', async ({ change, env }) => {
    const { server, owner, watcher } = await startWith({ ...env, READ_TIMEOUT_SECONDS: '30' });
    const { status, text } = await change(server, owner);
    expect(text).toContain('SERVICE_UNAVAILABLE');
    expect([200, 503]).toContain(status);
    expect(await watcher.waiting()).toBe(0);
  });
});

import { randomUUIDv7 } from 'node:crypto';
import { Sql } from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../src/config/settings.ts';
import { connectionsOf } from '../../src/db/access/connections.ts';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { createOrm } from '../../src/db/orm.ts';
import { endAllSessions } from '../../src/domain/session/end-all-sessions.ts';
import type { ReadOptions } from '../../src/engine/database.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { createKey } from '../support/api-keys.ts';
import { changesPage } from '../support/changes.ts';
import { runCommand } from '../support/command.ts';
import { openStream } from '../support/event-stream.ts';
import { globalId, graphql, query } from '../support/graphql.ts';
import { startReceiver } from '../support/receiver.ts';
import { urlAs } from '../support/row-security.ts';
import { send } from '../support/send.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createTeam, join, type Team } from '../support/team.ts';
import { allowLoopback } from '../support/webhooks.ts';
import { liveAccount, liveEvent } from '../support/whole-service.ts';

let server: TestServer;
let scopedUrl: string;
let team: Team;
let others: Team;
/** An event of each. */
let event: string;
let foreign: string;

const times = { date_start: '2031-05-05T17:00:00Z', date_end: '2031-05-05T19:00:00Z' };

beforeAll(async () => {
  server = await startTestServer({ rowSecurity: true, env: { ...allowLoopback, RATE_LIMIT: 'on' } });
  scopedUrl = urlAs('events_scoped', server.databaseUrl);
  [team, others] = [await createTeam(server), await createTeam(server)];
  const make = async (by: Team) => {
    const body = { ...times, name: 'Pottery', status: 1, visibility: 'public' };
    const made = await send<{ id: string }>(server, by.manager, 'POST /events', body);
    expect((await send(server, by.member, `POST /events/${made.body.id}/subscriptions`)).status).toBe(201);
    return made.body.id;
  };
  [event, foreign] = [await make(team), await make(others)];
});
afterAll(() => server.close());
afterEach(() => vi.restoreAllMocks());

describe('the service with row-level security', () => {
  it('serves accounts, from sign-up to erasing', () => liveAccount(server));

  it('serves events, guests, keys, webhooks, changes and exports on both faces', () => liveEvent(server));

  it('sweeps, ends sessions, and serves the commands of operators', async () => {
    const orm = await createOrm({ url: scopedUrl, rowSecurity: true });
    try {
      const db = new ServiceDatabase(orm);
      const { retentionDays } = readSettings({ NODE_ENV: 'test' }).bounds;
      expect(await sweep(db, { retentionDays })).toEqual([]);
      const env = { DATABASE_URL: scopedUrl, DATABASE_ROW_SECURITY: 'on' };
      const listed = await runCommand('admin', ['organizations', 'list', '--json'], env);
      expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(others.organizationId) });
      const exported = await runCommand('export', [], env);
      expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining(foreign) });
      const client = { ip: null, userAgent: null, requestId: randomUUIDv7() };
      const ended = await createTeam(server);
      expect(await endAllSessions({ db, client }, ['cookie_secrets'])).toBeGreaterThan(0);
      expect((await send(server, ended.owner, 'GET /auth/me')).status).toBe(401);
      [team, others] = [await again(team), await again(others)];
    } finally {
      await orm.close(true);
    }
  });

  it('changes what is within the organization and what is not in one transaction', async () => {
    const event = (name: string) =>
      `createEvent(input: {name: "${name}", dateStart: "2031-05-05T17:00:00Z", dateEnd: "2031-05-05T19:00:00Z"}) { event { name } }`;
    const document = `mutation { one: ${event('One')} third: createOrganization(input: {name: "A third one"}) { organization { name } } two: ${event('Two')} }`;
    const headers = { 'idempotency-key': randomUUIDv7() };
    const made = await send(server, others.owner, 'POST /graphql', { query: document }, headers);
    expect(made.body).toMatchObject({
      data: {
        one: { event: { name: 'One' } },
        third: { organization: { name: 'A third one' } },
        two: { event: { name: 'Two' } },
      },
    });
    const again = await send(server, others.owner, 'POST /graphql', { query: document }, headers);
    expect(again.text).toBe(made.text);
  });

  it('was refused nothing', () => {
    expect(server.logLines.filter((line) => line.includes('42501'))).toEqual([]);
  });

  it('shows people what is theirs in all of their organizations, also within one', async () => {
    const { owner } = team;
    const made = await query<{ createOrganization: { organization: { id: string } } }>(
      server,
      owner,
      'mutation { createOrganization(input: {name: "A second one"}) { organization { id name } } }',
    );
    expect(made.createOrganization.organization.id).toBeTruthy();
    const seen = await query<{
      viewer: { memberships: unknown[] };
      organizations: { totalCount: number };
      events: { totalCount: number };
    }>(server, owner, '{ viewer { memberships { role } } events { totalCount } }');
    expect([seen.viewer.memberships.length, seen.events.totalCount]).toEqual([2, 1]);
    expect((await send<object[]>(server, owner, 'GET /organizations')).text).toContain('A second one');
  });
});

it('streams and webhooks of an organization, with row-level security, carry what is of it and nothing of another', async () => {
  const pairs = await Promise.all(
    [team, others].map(async (each) => {
      const receiver = await startReceiver();
      const made = await send(server, each.owner, 'POST /webhooks', { url: receiver.url });
      expect(made.status, made.text).toBe(201);
      return {
        each,
        receiver,
        stream: await openStream(server, each.manager, 'since=now'),
        written: new Set<string>(),
      };
    }),
  );
  for (const { stream } of pairs) await stream.until(({ event }) => event === 'caught-up');
  // both at once, so that what reads the logs of both has rows of both
  await Promise.all(
    pairs.map(async ({ each, written }) => {
      for (let index = 0; index < 12; index += 1) {
        const body = { ...times, name: `Pottery ${index}`, status: 1 };
        const made = await send<{ id: string }>(server, each.manager, 'POST /events', body);
        expect(made.status, made.text).toBe(201);
        written.add(made.body.id);
      }
    }),
  );
  for (const { stream, receiver, written } of pairs) {
    const streamed = () =>
      new Set(stream.events.flatMap(({ event, data }) => (event === 'change' ? [data.object_id] : [])));
    const delivered = () =>
      new Set(
        receiver.received.map(({ text }) => (JSON.parse(text) as { data: { object_id: string } }).data.object_id),
      );
    await expect.poll(() => delivered().size).toBeGreaterThanOrEqual(written.size);
    await expect.poll(() => streamed().size).toBeGreaterThanOrEqual(written.size);
    expect([streamed(), delivered()]).toEqual([written, written]);
    stream.close();
    await receiver.close();
  }
});

/** The same people, signed in anew. */
async function again(before: Team): Promise<Team> {
  const { organizationId } = before;
  const [owner, manager, member] = await Promise.all(
    (['owner', 'manager', 'member'] as const).map((role) => join(server, organizationId, role)),
  );
  return { owner, manager, member, organizationId } as Team;
}

/** Drops the filter by organization from all statements of lists, as a mistake would. */
function plantFault(): { dropped: number } {
  const planted = { dropped: 0 };
  const { rows } = ServiceDatabase.prototype;
  vi.spyOn(ServiceDatabase.prototype, 'rows').mockImplementation(function (
    this: ServiceDatabase,
    statement: Sql,
    options?: ReadOptions,
  ) {
    const strings = statement.strings.map((text) =>
      text.replaceAll(/\bt\.organization_id = $/g, 'null is distinct from '),
    );
    if (strings.join() !== statement.strings.join()) planted.dropped += 1;
    return rows.call(this, new Sql(strings, statement.values), options) as never;
  });
  return planted;
}

describe('a list whose filter by organization was forgotten', () => {
  const names = `{ events { totalCount nodes { id subscriptions { totalCount nodes { id } } } } organization { members { totalCount } } eventSubscriptions { totalCount } }`;
  const ask = async (at: { url: string }, { owner }: Team) => {
    const rest = await Promise.all(
      ['GET /events', 'GET /members', 'GET /subscriptions', 'GET /audit', 'GET /api-keys', 'GET /invitations'].map(
        async (path) => (await send<{ items: object[] }>(at, owner, path)).body.items.length,
      ),
    );
    const count = await send<number>(at, owner, 'GET /events/count');
    const other = await send(at, owner, `GET /events/${foreign}`);
    return { rest, count: count.body, other: other.status, graphql: await query(at, owner, names) };
  };

  it('shows nothing of another organization on either face', async () => {
    await createKey(server, others.owner);
    await send(server, others.owner, 'POST /invitations', { email: `${randomUUIDv7()}@example.org`, role: 'member' });
    const before = await ask(server, team);
    const planted = plantFault();
    expect(await ask(server, team)).toEqual(before);
    expect(planted.dropped).toBeGreaterThan(6);
    expect(before.other).toBe(404);
  });

  it('would show it without row-level security', async () => {
    const open = await startTestServer({
      rowSecurity: false,
      databaseUrl: server.databaseUrl,
      secrets: server.secrets,
    });
    try {
      const before = await ask(open, team);
      plantFault();
      const after = await ask(open, team);
      for (const [index, count] of after.rest.entries()) expect(count).toBeGreaterThan(before.rest[index] as number);
      expect(after.count).toBeGreaterThan(before.count);
      expect(after.other).toBe(200);
    } finally {
      vi.restoreAllMocks();
      await open.close();
    }
  });
});

describe('a hostile client', () => {
  it('sees and changes nothing of another organization by its ids, headers, cursors or keys', async () => {
    const { manager } = team;
    const elsewhere = { ...manager, organizationId: others.organizationId };
    for (const path of [
      'GET /events',
      'GET /members',
      'GET /subscriptions',
      'GET /changes?since=now',
      'GET /events/export?format=csv',
    ]) {
      expect((await send(server, elsewhere, path)).status, path).toBe(403);
    }
    for (const path of [
      `GET /events/${foreign}`,
      `GET /events/${foreign}/subscriptions`,
      `GET /events/${foreign}/form`,
    ]) {
      expect((await send(server, manager, path)).status, path).toBe(404);
    }
    expect((await send(server, manager, `PATCH /events/${foreign}`, { name: 'Taken' })).status).toBe(404);
    expect((await send(server, manager, `DELETE /events/${foreign}`)).status).toBe(404);
    expect((await send(server, manager, `POST /events/${foreign}/subscriptions`)).status).toBe(404);
    const cursor = (await send<{ next: string }>(server, others.manager, 'GET /members?limit=1')).body.next;
    expect((await send(server, manager, `GET /members?token=${cursor}`)).status).toBe(400);
    const node = await graphql(server, manager, `{ node(id: "${globalId('Event', foreign)}") { id } }`);
    expect(node.data).toMatchObject({ node: null });
    const key = await createKey(server, team.owner);
    expect((await send(server, { ...key, organizationId: others.organizationId }, 'GET /events')).status).toBe(403);
    const log = await changesPage(server, manager, 'since=start').catch(() => null);
    expect(JSON.stringify(log?.body ?? '')).not.toContain(foreign);
    expect((await send<{ name: string }>(server, others.manager, `GET /events/${foreign}`)).body.name).toBe('Pottery');
    expect((await send<{ name: string }>(server, manager, `GET /events/${event}`)).body.name).toBe('Pottery');
  });
});

it('starts only where the database keeps organizations apart', async () => {
  const start = async (url: string) => {
    const orm = await createOrm({ url, rowSecurity: true });
    try {
      return await connectionsOf(orm)
        .primary.query('select 1')
        .then(
          () => 'open',
          (error: Error) => error.message,
        );
    } finally {
      await orm.close(true);
    }
  };
  expect(await start(scopedUrl)).toBe('open');
  expect(await start(server.databaseUrl)).toContain('row-level security does not hold for the role');
});

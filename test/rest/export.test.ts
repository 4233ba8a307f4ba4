import { randomUUIDv7 } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportsOf } from '../support/exports.ts';
import { type EventInput, insertEvent, insertSubscription } from '../support/fixtures.ts';
import { holding } from '../support/locks.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { createTeam, type Person, serveInTest, serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam({ env: { RATE_LIMIT: 'on' } });
const { download, textOf, lines, walk } = exportsOf(server, team.manager);
const query = (values: Record<string, string>) => new URLSearchParams(values).toString();

describe('GET /events/export', () => {
  beforeAll(async () => {
    await server.execute(`insert into event (id, organization_id, name, slug, status, date_start, date_end, visibility, registration)
      select gen_random_uuid(), '${team.organizationId}', 'Event ' || i, 'event-' || i, i % 4, now() + i * interval '1 minute',
        now() + i * interval '1 minute', 'organization', 'open' from generate_series(1, 1200) i`);
  });

  it('gives as NDJSON the items of the list, all of them, in its order', async () => {
    const asked = query({ where: '{"status":1}', sort: '-1', fields: 'id name date_start status' });
    const exported = await lines(`/events/export?format=ndjson&${asked}`);
    expect(exported).toHaveLength(300);
    expect(exported).toEqual(await walk(`/events?${asked}`));
  });

  it('has computed fields if they are named, as the list does', async () => {
    const id = randomUUIDv7();
    await insertEvent(server.orm, { id, organizationId: team.organizationId, capacity: 1 });
    for (const person of [team.owner, team.member])
      await insertSubscription(server.orm, { eventId: id, userId: person.userId, status: 'accepted' });
    const asked = query({ where: `{"id":"${id}"}`, fields: 'subscription_counts availability id' });
    const exported = await lines(`/events/export?format=ndjson&${asked}`);
    const none = { pending: 0, waitlisted: 0, declined: 0, cancelled: 0, checked_in: 0 };
    expect(exported).toEqual([{ id, availability: expect.any(String), subscription_counts: { accepted: 2, ...none } }]);
    expect(exported).toEqual(await walk(`/events?${asked}`));
    const { text } = await textOf(
      `/events/export?format=csv&${query({ where: `{"id":"${id}"}`, fields: 'availability subscription_counts' })}`,
    );
    expect(text).toMatch(/^\uFEFFavailability,subscription_counts\r\n\w+,"\{""pending"":0,""accepted"":2,/);
    // several batches, and events without subscriptions
    const all = query({ fields: 'id subscription_counts availability' });
    expect(await lines(`/events/export?format=ndjson&${all}`)).toEqual(await walk(`/events?${all}`));
  });

  it('gives as CSV a byte order mark, a header, and a line for each event', async () => {
    const name = 'Ünïcode, "quoted"\r\nand two lines';
    const id = randomUUIDv7();
    await insertEvent(server.orm, { id, organizationId: team.organizationId, name, capacity: 5 });
    const fields = 'id name capacity location waiting_list status';
    const { response, text } = await textOf(`/events/export?format=csv&${query({ where: `{"id":"${id}"}`, fields })}`);
    expect(text).toBe(
      `\uFEFFid,name,status,location,capacity,waiting_list\r\n${id},"Ünïcode, ""quoted""\r\nand two lines",1,,5,true\r\n`,
    );
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="events-\d{4}-\d\d-\d\d\.csv"$/);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
  });

  /** The line of an event in a file of its own. */
  const lineOf = async (event: Partial<EventInput>, fields: string, further = '') => {
    const { id } = await insertEvent(server.orm, { organizationId: team.organizationId, ...event });
    const asked = query({ where: `{"id":"${id}"}`, fields });
    const { text } = await textOf(`/events/export?format=csv&${asked}${further}`);
    return text.slice(`\uFEFF${fields.replace(' ', ',')}\r\n`.length, -2);
  };

  it('quotes whatever ends a line, and what alone would be an empty line', async () => {
    for (const name of ['two\nlines', 'two\rlines', 'two\r\nlines'])
      expect(await lineOf({ name }, 'name capacity')).toBe(`"${name}",`);
    expect(await lineOf({ capacity: null }, 'capacity')).toBe('""');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'guards a spreadsheet from %j, unless told not to',
    async (name) => {
      const [guarded, plain] = [await lineOf({ name }, 'name'), await lineOf({ name }, 'name', '&guard=off')];
      expect([guarded, plain].map((line) => line.replace(/^"|"$/g, ''))).toEqual([`'${name}`, name]);
    },
  );

  it('reads a snapshot, unaffected by concurrent writes', async () => {
    const response = await download(team.manager, '/events/export?format=ndjson&fields=name');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = decoder.decode((await reader.read()).value);
    await server.execute(
      `update event set name = 'changed' where organization_id = '${team.organizationId}' and name like 'Event 11%'`,
    );
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value);
    expect(text).toContain('"Event 1199"');
    expect(text).not.toContain('changed');
  });

  it('has the events of the own organization alone', async () => {
    const other = await createTeam(server);
    const { text } = await textOf('/events/export?format=ndjson', other.owner);
    expect(text).toBe('');
  });

  it('refuses pages and what it does not know, every fault at once', async () => {
    const request = 'GET /events/export?format=xls&limit=5&token=x&guard=no&where={&sort=2&fields=nome';
    const answer = await send(server, team.manager, request);
    expectCode(answer, 400, 'INVALID_QUERY', ['/fields', '/format', '/guard', '/limit', '/sort', '/token', '/where']);
    expect(pointersOf(await send(server, team.manager, 'GET /events/export'))).toEqual(['/format']);
  });

  it('answers HEAD without reading', async () => {
    const { status, headers } = await send(server, team.manager, 'HEAD /events/export?format=csv');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  });
});

it('makes room for the next as soon as the client has it all', async () => {
  const path = '/events/export?format=csv&fields=name&where=%7B%22status%22%3A1%7D';
  for (let round = 0; round < 10; round += 1) await Promise.all([textOf(path), textOf(path)]);
});

it('leaves nothing behind for each time that it waits for its client', async () => {
  const { manager, organizationId } = await createTeam(server);
  await server.execute(`insert into event (id, organization_id, name, slug, status, date_start, date_end, visibility, registration)
    select gen_random_uuid(), '${organizationId}', 'Event ' || i, 'event-' || i, 1, now(), now(), 'organization', 'open'
    from generate_series(1, 10000) i`);
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const { text } = await textOf('/events/export?format=ndjson', manager);
  process.off('warning', note);
  expect(text.split('\n')).toHaveLength(10_001);
  expect(warnings).toEqual([]);
});

it('is not held to the time that a read may take', async () => {
  const patient = await serveInTest({ env: { READ_TIMEOUT_SECONDS: '1' } });
  const { manager, organizationId } = await createTeam(patient);
  await insertEvent(patient.orm, { organizationId });
  const ask = (path: string) => send(patient, manager, `GET ${path}`);
  const busy = await holding(patient, 'lock table event in access exclusive mode');
  const exported = ask('/events/export?format=ndjson');
  expect((await ask('/events')).status).toBe(503);
  await busy.rollback();
  const { status, text } = await exported;
  expect([status, text.split('\n').length]).toEqual([200, 2]);
});

describe('an export whose client stops reading', () => {
  const snapshots = () =>
    server.execute(`select pid from pg_stat_activity where datname = current_database() and xact_start is not null
      and query like 'select t.%' and pid <> pg_backend_pid()`);

  beforeAll(async () => {
    // more than sockets buffer
    await server.execute(
      `update event set description = repeat('x', 20000) where organization_id = '${team.organizationId}'`,
    );
  });

  it('waits, allows two per user, and is cancelled in the database when its client disconnects', async () => {
    const clients = [1, 2].map(() => new AbortController());
    const running = await Promise.all(
      clients.map(({ signal }) => download(team.manager, '/events/export?format=ndjson', signal)),
    );
    expect(running.map(({ status }) => status)).toEqual([200, 200]);
    expect(await snapshots()).toHaveLength(2);
    const third = await send(server, team.manager, 'GET /events/export?format=csv');
    expectCode(third, 429, 'RATE_LIMITED');
    expect(third.headers.get('retry-after')).toBe('10');
    expect((await download(team.owner, '/events/export?format=csv&fields=id')).status).toBe(200);
    for (const client of clients) client.abort();
    await expect.poll(async () => (await snapshots()).length).toBe(0);
    await textOf('/events/export?format=csv&fields=id');
  });

  it('leaves other organizations room, however many of one do so', async () => {
    const stranger = await createTeam(server);
    const client = new AbortController();
    const start = (person: Person, { signal } = new AbortController()) =>
      download(person, '/events/export?format=ndjson', signal);
    const running = [
      await start(team.manager, client),
      await start(team.manager, client),
      await start(team.owner, client),
    ];
    const fourth = start(team.owner);
    await textOf('/events/export?format=csv', stranger.manager);
    expect(await snapshots()).toHaveLength(3);
    client.abort();
    const next = await fourth;
    // a response that nobody refers to any more is closed by the client
    expect([...running, next].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await next.body?.cancel();
    await expect.poll(async () => (await snapshots()).length).toBe(0);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { guestOf } from '../support/guests.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { createTeam, join, serveInTest, serveTeam } from '../support/server.ts';
import { formsOf, meal } from '../support/subscribing.ts';

const env = { RATE_LIMIT: 'on', BYTES_PER_MINUTE_MIB: '2', TRUST_PROXY: 'loopback' };
const { server, team } = await serveTeam({ env });
const { event, put, get } = formsOf(server, team);

beforeEach(async () => {
  // the payers of each test are its own, but not the address of this machine
  await server.execute('delete from rate_limit');
});

/** What everybody together was counted for, in KiB, in this minute. */
async function counted(): Promise<number> {
  server.services.limits.keptBytes.flush();
  const read = async () => (await server.execute<{ sum: number | null }>(sumSql))[0]?.sum ?? 0;
  await expect.poll(read).toBeGreaterThan(0);
  return await read();
}
const sumSql = `select sum(points)::int as sum from rate_limit where key like 'bytes_minute:%'`;

/** Forgets what is counted by now, what is still on its way to the table included. */
async function forget(): Promise<void> {
  await counted();
  await server.execute('delete from rate_limit');
}

/** A form of some 900 KB, with `mark` in it. */
function largeForm(mark: string) {
  const options = Array.from({ length: 45 }, (_, index) => ({
    value: `${index}`.padEnd(160, 'v'),
    label: `${mark} ${'x'.repeat(180)}`,
  }));
  return Array.from({ length: 50 }, (_, index) => ({
    ...{ key: `q${index}`, type: 'choices', label: mark, help: 'h'.repeat(900), options },
  }));
}

const longText = { key: 'essay', type: 'long_text', label: 'An essay' };
const essays = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...longText, key: `essay${index}`, label: `Essay ${index}` }));
/** Answers of some 10 KB each. */
const answersTo = (questions: { key: string }[]) =>
  Object.fromEntries(questions.map(({ key }) => [key, 'é'.repeat(5_000)]));

const updateSql = 'mutation ($id: ID!) { updateEvent(input: {id: $id, location: "Elsewhere"}) { event { version } } }';

describe('the bytes that writes keep', () => {
  it('are bounded for a user and an organization, on both faces, in all processes, and others go on', async () => {
    const writer = await join(server, team.organizationId, 'manager');
    const to = await event();
    for (const mark of ['one', 'two', 'three']) expect((await put(writer, to, largeForm(mark))).status).toBe(200);
    const refused = await put(writer, to, largeForm('four'));
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await get(writer, to)).body.version).toBe(3);
    const { errors } = await graphql(server, writer, updateSql, { id: to.id });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['RATE_LIMITED']);
    expect(errors?.[0]?.extensions.retry_after).toBeGreaterThan(0);
    // the organization has used its bytes up, and who reads goes on
    expectCode(await send(server, team.owner, `PATCH /events/${to.id}`, { location: 'There' }), 429, 'RATE_LIMITED');
    expect((await send(server, team.owner, `GET /events/${to.id}`)).status).toBe(200);
    const other = await createTeam(server);
    expect((await put(other.manager, await formsOf(server, other).event(), [meal])).status).toBe(200);

    const replica = await serveInTest({ env, databaseUrl: server.databaseUrl, secrets: server.secrets });
    // it learns of what the others counted when it counts itself
    const again = await send(replica, writer, `PUT /events/${to.id}/form`, { questions: largeForm('five') });
    expect(again.status).toBe(200);
    const write = async () => (await send(replica, writer, `PATCH /events/${to.id}`, { location: 'Here' })).status;
    await expect.poll(write).toBe(429);
  });

  it('are those of answers that an Idempotency-Key keeps, too', async () => {
    const own = await createTeam(server);
    const { asking: ask, subscribe: join_ } = formsOf(server, own);
    const questions = essays(50);
    const to = await ask(...questions);
    await forget();
    const made = await join_(own.member, to, { answers: answersTo(questions) });
    expect(made.status).toBe(201);
    const plain = await counted();
    await server.execute('delete from rate_limit');
    const path = `PATCH /events/${to.id}/subscriptions/${made.body.id}`;
    const [first] = questions;
    const answers = { ...answersTo(questions), [first?.key ?? '']: 'changed' };
    expect((await send(server, own.member, path, { answers }, { 'idempotency-key': 'kept' })).status).toBe(200);
    expect(await counted()).toBeGreaterThan(plain * 1.8);
  });

  it('are few for a copy of an event, whose form is stored once', async () => {
    const own = await createTeam(server);
    const forms = formsOf(server, own);
    const to = await forms.event();
    await put(own.manager, to, largeForm('copied'));
    await forget();
    for (let copy = 0; copy < 5; copy += 1) {
      expect((await send(server, own.manager, `POST /events/${to.id}/duplicate`, {})).status).toBe(201);
    }
    // for the user and for the organization
    expect(await counted()).toBeLessThan(100);
    const organization = [own.organizationId];
    expect(await server.execute('select from form_content where organization_id = ?', organization)).toHaveLength(1);
    expect(await server.execute('select from form_version where organization_id = ?', organization)).toHaveLength(6);
  });

  it('are those of each member of a batch', async () => {
    const own = await createTeam(server);
    const { id } = await formsOf(server, own).event();
    const people = await Promise.all(Array.from({ length: 8 }, () => join(server, own.organizationId, 'member')));
    const ids = await Promise.all(
      people.map(async (each) => (await formsOf(server, own).subscribe(each, { id }, {})).body.id),
    );
    const costOf = async (moved: string[]) => {
      await forget();
      const body = { ids: moved, status: 'declined' };
      expect((await send(server, own.manager, `POST /events/${id}/subscriptions/transition`, body)).status).toBe(200);
      return await counted();
    };
    const [first = '', ...rest] = ids;
    const one = await costOf([first]);
    expect(await costOf(rest)).toBeGreaterThan(one * 2);
  });

  it('are, of strangers, those of their network and of the event', async () => {
    const own = await createTeam(server);
    const { id } = await insertPublicEvent(server, { organizationId: own.organizationId });
    const elsewhere = await insertPublicEvent(server, { organizationId: own.organizationId });
    const questions = essays(50);
    for (const to of [id, elsewhere.id]) expect((await put(own.manager, { id: to }, questions)).status).toBe(200);
    const guest = guestOf(server, own.organizationId);
    const answers = answersTo(questions);
    const from = (ip: string, to: string, given: unknown = answers) =>
      send(
        ...([server, { organizationId: own.organizationId }, `POST /public/events/${to}/subscriptions`] as const),
        { name: 'A stranger', email: `${ip}@example.org`, answers: given },
        { 'x-forwarded-for': ip },
      );
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await from('192.0.2.1', id)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    // a request of few bytes, to another event; and of another network, to the same event
    expectCode(await from('192.0.2.1', elsewhere.id, {}), 429, 'RATE_LIMITED');
    expectCode(await from('192.0.2.2', id, {}), 429, 'RATE_LIMITED');
    expect((await from('192.0.2.2', elsewhere.id, {})).status).toBe(200);
    expect((await guest.request(elsewhere.id)).status).toBe(200);
    // the organization does not pay for strangers
    const note = { location: 'There' };
    expect((await send(server, own.manager, `PATCH /events/${id}`, note)).status).toBe(200);
  });

  it('leave room for what a large organization does in an hour', async () => {
    // ten thousand sign-ups with answers of 2 KB, and the mails about them
    const own = await createTeam(server);
    const questions = essays(2);
    const forms = formsOf(server, own);
    const to = await forms.asking(...questions);
    await forget();
    const answers = Object.fromEntries(questions.map(({ key }) => [key, 'x'.repeat(1_000)]));
    const people = await Promise.all(Array.from({ length: 10 }, () => join(server, own.organizationId, 'member')));
    for (const each of people) expect((await forms.subscribe(each, to, { answers })).status).toBe(201);
    // each is counted twice: for the user and for the organization
    const each = (await counted()) / people.length / 2;
    expect(each * 10_000).toBeLessThan(500 * 1024);
    expect((each * 10_000) / 60).toBeLessThan(20 * 1024);
  });
});

it('the versions of a form are the last ten, and those that answers refer to', async () => {
  const team = await createTeam(server);
  const { asking, subscribe, put, get } = formsOf(server, team);
  const to = await asking(meal);
  const { body: row } = await subscribe(team.member, to, { answers: { meal: 'meat' } });
  expect(row.form_version).toBe(1);
  const label = (version: number) => [{ ...meal, label: `Meal of version ${version}` }];
  for (let version = 2; version <= 13; version += 1) {
    expect((await put(team.manager, to, label(version))).body.version).toBe(version);
  }
  const statusOf = async (version: number) => (await get(team.member, to, `?version=${version}`)).status;
  expect(await Promise.all([1, 2, 3, 4, 12, 13].map(statusOf))).toEqual([200, 404, 404, 200, 200, 200]);
  const { data } = await graphql(
    server,
    team.member,
    'query ($id: ID!) { event(id: $id) { old: form(version: 2) { version } kept: form(version: 1) { version } } }',
    { id: to.id },
  );
  expect(data).toEqual({ event: { old: null, kept: { version: 1 } } });
  // what the dropped versions asked is left to the sweep
  const unused = await server.execute(`select from form_content where unused_since is not null`);
  expect(unused.length).toBeGreaterThanOrEqual(2);
});

import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertUser, password } from '../support/fixtures.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { createTeam, join, type Person, post, serve, serveTeam } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';
import { createWebhook } from '../support/webhooks.ts';
import { facesOf, future } from '../support/write-faces.ts';

// What is left of the limits of operations that are counted (reference/limits.md#budgets).

const { server, team } = await serveTeam({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'on' } });
const unlimited = await serve();

/** Both fields, with the seconds that are left as `<t>` if there may be so many. */
function budgetsOf({ headers }: { headers: Headers }): [policy: string | null, left: string | null] {
  const policy = headers.get('ratelimit-policy');
  const windows = [...(policy ?? '').matchAll(/;w=(\d+)/g)].map(([, seconds]) => Number(seconds));
  let index = 0;
  const left = headers.get('ratelimit')?.replace(/;t=(\d+)/g, (_, seconds) => {
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(windows[index++] ?? 0);
    return ';t=<t>';
  });
  return [policy, left ?? null];
}

const endOthers = 'endOtherSessions(input: {}) { endedCount }';
const update = 'updateOrganization(input: {}) { clientMutationId }';
const mutate = (person: Person, count: number, each = update, headers = {}) =>
  graphql(
    server,
    person,
    `mutation { ${Array.from({ length: count }, (_, n) => `m${n}: ${each}`).join(' ')} }`,
    undefined,
    headers,
  );
/** Uses so many of the 300 writes of a person in this minute. */
const use = (person: Person, count: number) =>
  Promise.all(Array.from({ length: count }, () => server.services.limits.take({ rule: 'write', key: person.userId })));

describe('a write', () => {
  it('says by both faces what is left of the writes of its user: aliases, refusals and what changes nothing count', async () => {
    const { owner, member } = await createTeam(server);
    const policy = '"write";q=300;w=60';
    expect(budgetsOf(await send(server, owner, 'PATCH /organization', {}))).toEqual([policy, '"write";r=299;t=<t>']);
    expect(budgetsOf(await mutate(owner, 3))).toEqual([policy, '"write";r=296;t=<t>']);
    for (const [person, request, body, code, left] of [
      [owner, 'PATCH /organization', { accent: 'red' }, 'VALIDATION_ERROR', 295],
      [owner, `DELETE /auth/sessions/${randomUUIDv7()}`, undefined, 'NOT_FOUND', 294],
      // those of others are their own
      [member, 'PATCH /organization', {}, 'FORBIDDEN', 299],
    ] as const) {
      const refused = await send(server, person, request, body);
      expect([refused.body.code, budgetsOf(refused)]).toEqual([code, [policy, `"write";r=${left};t=<t>`]]);
    }
  });

  it('says that nothing is left, and when to retry, when it is refused for that', async () => {
    const { owner } = await createTeam(server);
    await use(owner, 299);
    const failed = await mutate(owner, 2, endOthers);
    expect(failed.data).toMatchObject({ m0: { endedCount: 0 }, m1: null });
    const [error] = failed.errors ?? [];
    expect(error?.extensions).toMatchObject({ code: 'RATE_LIMITED', retry_after: expect.any(Number) });
    const refused = await send(server, owner, 'PATCH /organization', {});
    expectCode(refused, 429, 'RATE_LIMITED');
    const wait = refused.headers.get('retry-after');
    expect(refused.headers.get('ratelimit')).toContain(`t=${wait}`);
    expect(refused.body.detail).toContain(` ${wait} second`);
    for (const words of [error?.message, refused.body.detail])
      expect(words).toMatch(/^At most 300 writes of one user a minute\. Retry in \d+ seconds?\.$/);
    for (const answer of [refused, failed])
      expect(budgetsOf(answer)).toEqual(['"write";q=300;w=60', '"write";r=0;t=<t>']);
  });

  it('names every limit that it is counted under', async () => {
    const { owner } = await createTeam(server);
    const invited = await send(server, owner, 'POST /invitations', { email: 'a@example.org', role: 'member' });
    expect(budgetsOf(invited)).toEqual([
      '"write";q=300;w=60, "invitations-inviter";q=20;w=3600, "invitations-organization";q=100;w=3600',
      '"write";r=299;t=<t>, "invitations-inviter";r=19;t=<t>, "invitations-organization";r=99;t=<t>',
    ]);
  });

  it('names only what is used up when it is refused for one of them', async () => {
    const { owner, organizationId } = await createTeam(server);
    const webhook = await createWebhook(server, owner, { url: 'https://receiver.example/' });
    const key = { rule: 'webhook_tests' as const, key: organizationId };
    await Promise.all(Array.from({ length: 10 }, () => server.services.limits.take(key)));
    const refused = await send(server, owner, `POST /webhooks/${webhook.id}/test`);
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(budgetsOf(refused)).toEqual(['"webhook-tests";q=10;w=60', '"webhook-tests";r=0;t=<t>']);
  });

  it('needs no further statement for that', async () => {
    const [one, other] = [await createTeam(server), await createTeam(unlimited)];
    const { statements } = await countStatements(server.orm, () => send(server, one.owner, 'PATCH /organization', {}));
    const free = await countStatements(unlimited.orm, () => send(unlimited, other.owner, 'PATCH /organization', {}));
    const counts = statements.filter((each) => each.includes('rate_limit')).length;
    expect([statements.length - counts, counts <= 1]).toEqual([free.statements.length, true]);
  });
});

describe('other operations', () => {
  it('say what is left of exports, sign-ins and failed ones', async () => {
    const { owner } = await createTeam(server);
    const exported = await send(server, owner, 'GET /events/export?format=ndjson');
    expect(budgetsOf(exported)).toEqual(['"export";q=60;w=60', '"export";r=59;t=<t>']);
    const { email } = await insertUser(server.orm);
    const login = (secret: string) =>
      post(`${server.url}/auth/login`, { email, password: secret }, { 'x-forwarded-for': '203.0.113.7' });
    const failed = (count: number) => [
      '"login-account";q=10;w=900, "login-network";q=100;w=900',
      `"login-account";r=${10 - count};t=<t>, "login-network";r=${100 - count};t=<t>`,
    ];
    expect(budgetsOf(await login('wrong'))).toEqual(failed(1));
    expect(budgetsOf(await login('wrong'))).toEqual(failed(2));
    expect(budgetsOf(await login(password))).toEqual(['"sign-in";q=300;w=60', '"sign-in";r=299;t=<t>']);
    expect(budgetsOf(await login('wrong'))[1]).toContain('"login-account";r=9;');
  });

  it('say nothing where nothing is counted', async () => {
    expect(budgetsOf(await send(server, team.owner, 'GET /events'))).toEqual([null, null]);
    const { owner: free } = await createTeam(unlimited);
    expect(budgetsOf(await send(unlimited, free, 'PATCH /organization', {}))).toEqual([null, null]);
  });

  it('can be read by pages of other origins, as all headers of our own', async () => {
    const answer = await send(server, team.owner, 'PATCH /organization', {}, { origin: 'http://localhost:5173' });
    const exposed = answer.headers.get('access-control-expose-headers')?.split(',');
    const others = ['x-count-exact', 'etag', 'location', 'idempotency-replayed'];
    expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', ...others]));
  });
});

/** How many writes of a person were counted in this minute. */
const counted = async () => {
  const [row] = await server.execute<{ points: number }>(
    `select max(points) as points from rate_limit where key like 'write:%'`,
  );
  return row?.points;
};

/** Leaves a person so many writes of the 300 of this minute. */
const leave = async (person: Person, left: number) => {
  await server.execute('delete from rate_limit');
  await use(person, 300 - left);
};

const profile = (person: Person, name: string) => send(server, person, 'PATCH /auth/me', { name });

describe('the 300 writes a minute of a user', () => {
  it('are those of events and subscriptions, each mutation under a key and each retry by itself', async () => {
    const manager = await join(server, team.organizationId, 'manager');
    const member = await join(server, team.organizationId, 'member');
    for (const face of facesOf(server)) {
      await leave(manager, 300);
      const { value: event } = await face.createEvent(manager, { name: 'Limited', status: 1, ...future });
      await face.updateEvent(manager, event.id, {});
      const { value } = await face.subscribe(manager, event.id, { user_id: member.userId });
      await face.move(manager, event.id, value.id, { status: 'accepted' });
      await face.checkIn(manager, event.id, value.id);
      await face.undoCheckIn(manager, event.id, value.id);
      await face.transition(manager, event.id, [value.id], 'declined');
      const copy = await face.duplicateEvent(manager, event.id, {});
      await face.deleteEvent(manager, copy.value.id);
      expect(await counted()).toBe(9);
      // one for each ten items begun
      const users = Array.from({ length: 11 }, () => ({ user_id: randomUUIDv7() }));
      await face.bulk(manager, event.id, users);
      await face.bulk(manager, event.id, users, {}, { key: `many-${face.name}` });
      expect(await counted()).toBe(13);
      // the retry of a key, a mismatch and a refusal
      const asked = { key: `limited-${face.name}` };
      for (const name of ['Keyed', 'Keyed', 'Other']) await face.createEvent(manager, { name, ...future }, asked);
      await face.deleteEvent(manager, event.id);
      expect(await counted()).toBe(17);
    }
    await leave(manager, 4);
    const once = () => mutate(manager, 3, endOthers, { 'idempotency-key': 'three' });
    const answers = [await once(), await once()];
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code ?? null)).toEqual([null, 'RATE_LIMITED']);
    await leave(member, 0);
    const subscribing = `POST /events/${randomUUIDv7()}/subscriptions`;
    expectCode(await send(server, member, subscribing), 429, 'RATE_LIMITED');
    expectCode(await send(server, member, subscribing, {}, { 'idempotency-key': 'limited' }), 429, 'RATE_LIMITED');
  });

  it('are not used up by sign-ins, which have a limit of their own', async () => {
    const { email, userId } = team.manager;
    await leave(team.manager, 1);
    const login = () => post(`${server.url}/auth/login`, { email, password });
    expect((await login()).status).toBe(200);
    expect((await profile(team.manager, 'A manager')).status).toBe(200);
    const key = { rule: 'sign_in' as const, key: userId };
    await Promise.all(Array.from({ length: 299 }, () => server.services.limits.take(key)));
    const refused = await login();
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expectCode(refused, 429, 'RATE_LIMITED');
  });
});

it('a change that changes nothing writes nothing', async () => {
  await leave(team.owner, 300);
  await send(server, team.owner, 'PATCH /auth/me', { name: 'Grace' });
  await send(server, team.owner, 'PATCH /organization', { name: 'Harbour', signup: 'invite' });
  const rows = () =>
    server.execute(`select (select json_agg(a order by id) from audit_entry a) as trail,
      (select json_agg(u order by id) from "user" u) as people, (select json_agg(xmin::text order by id) from organization)`);
  const before = await rows();
  expect((await profile(team.owner, ' Grace ')).status).toBe(200);
  for (const body of [{}, { name: 'Harbour' }, { signup: 'invite' }, { name: 'Harbour', signup: 'invite' }]) {
    expect((await send(server, team.owner, 'PATCH /organization', body)).status).toBe(200);
  }
  expect(await rows()).toEqual(before);
});

import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { password } from '../support/fixtures.ts';
import { graphql } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { expectProblem, post } from '../support/sign-in.ts';
import { join, type Person, serveTeam } from '../support/team.ts';
import { facesOf, future } from '../support/write-faces.ts';

const { server, team } = await serveTeam({ env: { RATE_LIMIT: 'on' } });

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
  const key = { rule: 'write' as const, key: person.userId };
  await Promise.all(Array.from({ length: 300 - left }, () => server.services.limits.take(key)));
};

const profile = (person: Person, name: string) => send(server, person, 'PATCH /auth/me', { name });

describe('the 300 writes a minute of a user', () => {
  it('are counted on both faces, each alias by itself, the refused and the unchanged ones included', async () => {
    await leave(team.member, 10);
    const aliases = Array.from(
      { length: 5 },
      (_, index) => `a${index}: updateProfile(input: {name: "A member"}) { clientMutationId }`,
    );
    expect((await graphql(server, team.member, `mutation { ${aliases.join(' ')} }`)).errors).toBeUndefined();
    expect((await profile(team.member, 'A member')).status).toBe(200);
    expectCode(await profile(team.member, ''), 400, 'VALIDATION_ERROR');
    expectCode(await send(server, team.member, 'PATCH /organization', { name: 'Ours' }), 403, 'FORBIDDEN');
    expectCode(await send(server, team.member, `DELETE /auth/sessions/${randomUUIDv7()}`), 404, 'NOT_FOUND');
    // what only reads costs nothing
    expect((await send(server, team.member, 'GET /auth/me')).status).toBe(200);
    expect(await counted()).toBe(299);

    const mutation =
      'mutation { a: endOtherSessions(input: {}) { endedCount } b: endOtherSessions(input: {}) { endedCount } }';
    const { data, errors } = await graphql(server, team.member, mutation);
    expect(data).toMatchObject({ a: { endedCount: 0 }, b: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['RATE_LIMITED']);
    expect(errors?.[0]?.extensions.retry_after).toBeGreaterThan(0);
    const refusal = /^At most 300 writes of one user a minute\. Retry in \d+ seconds?\.$/;
    expect(errors?.[0]?.message).toMatch(refusal);
    const refused = await profile(team.member, 'Another');
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(refused.body.detail).toMatch(refusal);
    const wait = Number(refused.headers.get('retry-after'));
    expect(refused.body.detail).toContain(` ${wait} second`);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    // and those of others are their own
    expect((await profile(team.manager, 'Another')).status).toBe(200);
  });

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
    const once = `mutation { ${[1, 2, 3].map((n) => `a${n}: endOtherSessions(input: {}) { endedCount }`).join(' ')} }`;
    await leave(manager, 4);
    const answers = [];
    for (let retry = 0; retry < 2; retry += 1) {
      answers.push(await graphql(server, manager, once, undefined, { 'idempotency-key': 'three' }));
    }
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code ?? null)).toEqual([null, 'RATE_LIMITED']);
    await leave(member, 0);
    const [event] = (await send<{ items: { id: string }[] }>(server, member, 'GET /events?limit=1')).body.items;
    const subscribing = `POST /events/${event?.id}/subscriptions`;
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
    await expectProblem(refused, 429, 'RATE_LIMITED');
  });
});

describe('a change that changes nothing', () => {
  it('writes nothing', async () => {
    await leave(team.owner, 300);
    const em = server.orm.em.fork();
    await send(server, team.owner, 'PATCH /auth/me', { name: 'Grace' });
    await send(server, team.owner, 'PATCH /organization', { name: 'Harbour', signup: 'invite' });
    const dump = async () =>
      JSON.stringify([
        await em.execute('select * from audit_entry order by id'),
        await em.execute('select * from "user" order by id'),
        await em.execute('select xmin, * from organization order by id'),
      ]);
    const before = await dump();
    expect((await send(server, team.owner, 'PATCH /auth/me', { name: ' Grace ' })).status).toBe(200);
    for (const body of [{}, { name: 'Harbour' }, { signup: 'invite' }, { name: 'Harbour', signup: 'invite' }]) {
      expect((await send(server, team.owner, 'PATCH /organization', body)).status).toBe(200);
    }
    expect(await dump()).toBe(before);
    await send(server, team.owner, 'PATCH /organization', { name: 'Harbour', signup: 'open' });
    const [last] = await em.execute<{ detail: object }[]>(
      'select detail from audit_entry order by created_at desc limit 1',
    );
    expect(last?.detail).toEqual({ signup: 'open' });
  });
});

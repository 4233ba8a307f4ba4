import { describe, expect, it } from 'vitest';
import { deliveryPartiesOf } from '../../src/kernel/limits/parties.ts';
import { openStream } from '../support/changes.ts';
import { insertEvent, insertUser } from '../support/fixtures.ts';
import { openPlace, signUp } from '../support/newcomers.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { createKey, createTeam, join, type Person, serve, signIn } from '../support/server.ts';
import { inTest } from '../support/shared.ts';
import { subscribing } from '../support/subscribing.ts';

// What one account can do with many organizations and keys (reference/limits.md#makers).

const env = {
  ...{ RATE_LIMIT: 'on', BYTES_PER_MINUTE_MIB: '2', TRUST_PROXY: 'loopback' },
  ...{ STREAMS: '50', STREAMS_PER_ORGANIZATION: '4' },
};
const server = await serve({ env });

/** Somebody with an account and no organization. */
async function founder(address?: string) {
  const { id: userId, email } = await insertUser(server.orm, address ? { email: address } : {});
  const { accessToken } = await signIn(server.url, email);
  const found = (name = 'Founded') => send<{ id: string }>(server, { accessToken }, 'POST /organizations', { name });
  const execute = (statement: string) => server.execute(statement, [userId]);
  const mine = 'id in (select organization_id from membership where user_id = ?)';
  const passDays = (days: number) =>
    execute(`update organization set created_at = created_at - interval '${days} days' where ${mine}`);
  const growOlder = (days: number) =>
    execute(`update "user" set created_at = created_at - interval '${days} days' where id = ?`);
  return { userId, accessToken, found, passDays, growOlder };
}

/** A manager of each of so many organizations that one user has founded, three a day. */
async function managersOf(count: number): Promise<Person[]> {
  const { found, passDays } = await founder();
  const managers: Person[] = [];
  for (let each = 0; each < count; each += 1) {
    if (each % 3 === 0) await passDays(1);
    const { status, text, body } = await found();
    expect(status, text).toBe(201);
    managers.push(await join(server, body.id, 'manager'));
  }
  return managers;
}

describe('an account', () => {
  it('creates three organizations a day, ten in its first month, by both APIs', async () => {
    const { accessToken, found, passDays, growOlder } = await founder();
    for (let each = 0; each < 3; each += 1) expect((await found()).status).toBe(201);
    const refused = await found();
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    // of writes more are left
    expect([refused.headers.get('ratelimit-policy'), refused.headers.get('ratelimit')]).toEqual([null, null]);
    const mutation = 'mutation { createOrganization(input: {name: "Fourth"}) { organization { name } } }';
    const { errors } = await graphql(server, { accessToken }, mutation);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['RATE_LIMITED']);
    for (let more = 3; more < 10; more += 1) {
      if (more % 3 === 0) await passDays(1);
      expect((await found()).status).toBe(201);
    }
    await passDays(1);
    const late = await found();
    expectCode(late, 429, 'RATE_LIMITED');
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(29 * 86_400);
    await growOlder(31);
    expect((await found()).status).toBe(201);
  });

  it('counts what other accounts with its mailbox create', async () => {
    const [one, other] = [await founder('eve@example.org'), await founder('eve+2@example.org')];
    expect([(await one.found()).status, (await other.found()).status, (await one.found()).status]).toEqual([
      201, 201, 201,
    ]);
    for (const each of [one, other]) expectCode(await each.found(), 429, 'RATE_LIMITED');
  });

  it('counts the organization of its sign-up', async () => {
    const place = await inTest(openPlace());
    const newcomer = await signUp(place, 'Ann', { found: 'First' });
    const create = () => send(place.server, newcomer, 'POST /organizations', { name: 'Another' });
    expect([(await create()).status, (await create()).status, (await create()).status]).toEqual([201, 201, 429]);
  });

  it('does not count an organization from when it is deleted', async () => {
    const { accessToken, found } = await founder();
    const [{ body }] = [await found(), await found(), await found()];
    expectCode(await found(), 429, 'RATE_LIMITED');
    const deleted = await send(server, { accessToken }, `DELETE /organizations/${body.id}`, { name: 'Founded' });
    expect([deleted.status, (await found()).status]).toEqual([200, 201]);
    expectCode(await found(), 429, 'RATE_LIMITED');
  });
});

describe('all organizations that one user has created', () => {
  it('keep three times the bytes of one, whoever owns them by now', async () => {
    const managers = await managersOf(5);
    const organizations = managers.map(({ organizationId }) => organizationId);
    // the maker has left
    await server.execute(`delete from membership where role = 'owner' and organization_id = any(?::uuid[])`, [
      `{${organizations.join()}}`,
    ]);
    const keep = async (person: Person) => {
      const { id } = await insertEvent(server.orm, { organizationId: person.organizationId });
      const options = Array.from({ length: 45 }, (_, index) => ({ value: `${index}`, label: 'x'.repeat(190) }));
      const questions = Array.from({ length: 50 }, (_, index) => ({
        ...{ key: `q${index}`, type: 'choices', label: id, help: 'h'.repeat(900), options },
      }));
      return await send(server, person, `PUT /events/${id}/form`, { questions });
    };
    const statuses: number[] = [];
    for (const person of managers.slice(0, 4)) {
      for (let each = 0; each < 4; each += 1) statuses.push((await keep(person)).status);
    }
    const [last] = managers.slice(-1) as [Person];
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3 * 5);
    expectCode(await keep(last), 429, 'RATE_LIMITED');
    const { manager } = await createTeam(server);
    expect((await keep(manager)).status).toBe(200);
  });

  it('have three times the streams of one', async () => {
    const managers = await managersOf(5);
    const open = (person: Person, index: number) =>
      openStream(server, person, 'since=now', { 'x-forwarded-for': `192.0.2.${index}` });
    const streams = [];
    for (const [index, person] of managers.entries())
      for (let each = 0; each < 4; each += 1) streams.push(await open(person, index));
    const statuses = streams.map(({ response }) => response.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    expect(statuses.slice(12)).toEqual(Array(8).fill(429));
    expect(streams.at(-1)?.response.headers.get('retry-after')).toBe('10');
    const other = await open((await createTeam(server)).manager, 99);
    expect(other.response.status).toBe(200);
  });
});

it('the deliveries that members cause do not use up what their managers may write', async () => {
  const team = await createTeam(server);
  const made = { organizationId: team.organizationId, makerId: null };
  const { keptBytes } = server.services.limits;
  keptBytes.spend(deliveryPartiesOf(made), 3 * 1024 ** 2);
  expect(keptBytes.waitOf(deliveryPartiesOf(made))).toBeGreaterThan(0);
  await subscribing(server, team).event();
});

it('one network has two fifths of the streams of a process', async () => {
  const teams = await Promise.all(Array.from({ length: 6 }, () => createTeam(server)));
  const open = (person: Person, ip: string) => openStream(server, person, 'since=now', { 'x-forwarded-for': ip });
  const streams = await Promise.all(
    teams.flatMap(({ manager }, team) =>
      Array.from({ length: 4 }, (_, each) => open(manager, `2001:db8:1:1::${team}${each}`)),
    ),
  );
  const statuses = streams.map(({ response }) => response.status).toSorted();
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(4).fill(503)]);
  const refused = streams.find(({ response }) => response.status === 503);
  expect(refused?.response.headers.get('retry-after')).toBe('10');
  const elsewhere = await open((await createTeam(server)).manager, '2001:db8:1:2::1');
  expect(elsewhere.response.status).toBe(200);
});

it('all keys of an organization share 600 writes a minute', async () => {
  const { owner, organizationId } = await createTeam(server);
  const keys = await Promise.all([1, 2, 3].map(() => createKey(server, owner)));
  const { id } = await insertEvent(server.orm, { organizationId });
  const write = (caller: Parameters<typeof send>[1]) =>
    send(server, caller, `PATCH /events/${id}`, { location: 'Here' });
  const [first, second, third] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]];
  for (const key of [first, second]) {
    for (let each = 0; each < 30; each += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => write(key)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
  }
  expectCode(await write(third), 429, 'RATE_LIMITED');
  expect((await write(owner)).status).toBe(200);
  const other = await createTeam(server);
  const key = await createKey(server, other.owner);
  const { id: event } = await insertEvent(server.orm, { organizationId: other.organizationId });
  const answer = await send(server, key, `PATCH /events/${event}`, { location: 'There' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('ratelimit-policy')).toBe('"write";q=300;w=60, "key-writes";q=600;w=60');
});

import { describe, expect, it } from 'vitest';
import { payersOf } from '../../src/engine/transaction.ts';
import { KeptBytes } from '../../src/kernel/limits/kept-bytes.ts';
import type { Party } from '../../src/kernel/limits/parties.ts';
import { password } from '../support/fixtures.ts';
import { guestAddress } from '../support/guests.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { createTeam, type Person, serve, signIn } from '../support/server.ts';
import { formsOf } from '../support/subscribing.ts';

const env = { RATE_LIMIT: 'on', BYTES_PER_MINUTE_MIB: '2', BYTES_PER_DAY_MIB: '8', TRUST_PROXY: 'loopback' };
const server = await serve({ env });

const echo = Array.from({ length: 14 }, (_, index) => `a${index}: clientMutationId`).join(' ');
const echoSql = `mutation ($id: ID!, $text: ID!) {
  updateEventSubscription(input: {id: $id, status: ACCEPTED, clientMutationId: $text}) { ${echo} }
}`;

/** Keeps a megabyte for each request under a key, until that is refused. */
async function spendAll(person: Person, subscription: string): Promise<number> {
  for (let count = 0; ; count += 1) {
    const variables = { id: subscription, text: 'x'.repeat(70_000) };
    const { errors } = await graphql(server, person, echoSql, variables, { 'idempotency-key': `${count}` });
    if (errors?.[0]?.extensions.code === 'RATE_LIMITED') return count;
    expect(errors).toBeUndefined();
  }
}

describe('who has used up the bytes that writes keep', () => {
  it('stops neither the managers of an organization, nor anybody who ends their access', async () => {
    const team = await createTeam(server);
    const { event, subscribe } = formsOf(server, team);
    const to = await event();
    expect(await spendAll(team.member, (await subscribe(team.member, to, {})).body.id)).toBeLessThanOrEqual(2);
    const there = { location: 'There' };
    expect((await send(server, team.owner, `PATCH /events/${to.id}`, there)).status).toBe(200);

    await spendAll(team.manager, (await subscribe(team.manager, to, {})).body.id);
    expectCode(await send(server, team.owner, `PATCH /events/${to.id}`, there), 429, 'RATE_LIMITED');
    for (const { membershipId } of [team.manager, team.member]) {
      expect((await send(server, team.owner, `DELETE /members/${membershipId}`)).status).toBe(200);
    }
    // a thief may have used them up
    await signIn(server.url, team.manager.email);
    expect((await send(server, team.manager, 'DELETE /auth/sessions')).status).toBe(200);
    const passwords = { current_password: password, password: 'another horse, a battery' };
    expect((await send(server, team.manager, 'POST /auth/change-password', passwords)).status).toBe(200);
    expect((await send(server, team.manager, 'POST /auth/logout')).status).toBe(200);
  });

  it('does not stop the others of a network from signing in and out', async () => {
    const team = await createTeam(server);
    const { put } = formsOf(server, team);
    const { id } = await insertPublicEvent(server, { organizationId: team.organizationId });
    const questions = Array.from({ length: 50 }, (_, index) => ({
      ...{ key: `essay${index}`, type: 'long_text', label: `Essay ${index}` },
    }));
    expect((await put(team.manager, { id }, questions)).status).toBe(200);
    const answers = Object.fromEntries(questions.map(({ key }) => [key, 'é'.repeat(9_000)]));
    const here = { 'x-forwarded-for': '192.0.2.77' };
    const request = `POST /public/events/${id}/subscriptions`;
    const { organizationId } = team;
    const ask = () => send(server, { organizationId }, request, { name: 'G', email: guestAddress(), answers }, here);
    await expect.poll(async () => (await ask()).status, { interval: 1 }).toBe(429);
    const { email } = team.member;
    expect((await send(server, {}, 'POST /auth/login', { email, password }, here)).status).toBe(200);
    const { accessToken = '' } = team.member;
    expect((await send(server, { accessToken }, 'POST /auth/logout', undefined, here)).status).toBe(200);
  });

  it('cannot use up the day of an event, with a whole /48 either', async () => {
    const counters = { add: async (_: string, points: number) => ({ points, expire: Date.now() + 60_000 }) };
    const day = 40 * 1024 * 1024;
    const kept = new KeptBytes(counters as never, { perMinute: 100 * day, perDay: day });
    const event: Party = { kind: 'event', id: 'an event' };
    let spent = 0;
    for (let network = 0; network < 256; network += 1) {
      const client = { ip: `2001:db8:1:${network.toString(16)}00::1`, userAgent: null, requestId: '' };
      const payers = [...payersOf({ viewer: null, membership: null, client }), event];
      try {
        kept.requireRoom(payers);
      } catch {
        continue;
      }
      kept.spend(payers, 1024 * 1024);
      spent += 1024 * 1024;
      kept.requireRoom([event]);
    }
    expect(spent).toBe(day / 2);
  });
});

it('limits how many exports one user asks for, each of which leaves an entry in the audit trail', async () => {
  const { owner, manager } = await createTeam(server);
  const ask = async (person: Person) =>
    (await send(server, person, 'GET /events/export?format=ndjson&fields=id')).status;
  const statuses = new Set<number>();
  for (let count = 0; count < 60; count += 1) statuses.add(await ask(owner));
  expect([...statuses]).toEqual([200]);
  expect([await ask(owner), await ask(manager)]).toEqual([429, 200]);
});

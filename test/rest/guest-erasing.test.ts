import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertMember, insertUser } from '../support/fixtures.ts';
import { graphql } from '../support/graphql.ts';
import { guestOf, guestWorld } from '../support/guests.ts';
import { countMails, mailsTo, settleMails, tokenOf } from '../support/mail.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { createTeam } from '../support/team.ts';
import { tablesWith } from '../support/traces.ts';

const server = await serve({ env: { RATE_LIMIT: 'off' } });

const erase = (token: unknown, headers: Record<string, string> = {}) =>
  send(server, {}, 'POST /public/subscriptions/erase', { token }, headers);

/** Two organizations with an event that asks, and a person who is found nowhere else. */
async function createScene() {
  const teams = [await createTeam(server), await createTeam(server)] as const;
  const worlds = teams.map((team) => guestWorld(server, team)) as [
    ReturnType<typeof guestWorld>,
    ReturnType<typeof guestWorld>,
  ];
  const guests = teams.map(({ organizationId }) => guestOf(server, organizationId)) as [
    ReturnType<typeof guestOf>,
    ReturnType<typeof guestOf>,
  ];
  const mark = randomUUIDv7();
  return { teams, worlds, guests, name: `Gus ${mark}`, email: `gus-${mark}@example.org`, secret: `secret-${mark}` };
}

describe('POST /public/subscriptions/erase', () => {
  it('erases a guest in every organization, with every link, and lets the lists move', async () => {
    const { teams, worlds, guests, name, email, secret } = await createScene();
    const [here, there] = [await worlds[0].event({ capacity: 1 }), await worlds[1].asking()];
    const first = await guests[0].subscribe(here.id, { name, email });
    const waiting = await send<{ id: string; status: string }>(
      server,
      teams[0].member,
      `POST /events/${here.id}/subscriptions`,
    );
    expect(waiting.body.status).toBe('waitlisted');
    await guests[1].request(there.id, { name, email, answers: { badge: secret } });
    const link = tokenOf((await mailsTo(server, email, 3))[2] as { text: string });
    await guests[1].confirm(link);
    const second = { token: tokenOf((await mailsTo(server, email, 4))[3] as { text: string }) };
    await guests[0].request((await worlds[0].event()).id, { name, email });
    const pending = tokenOf((await mailsTo(server, email, 5))[4] as { text: string });
    await guests[0].request((await worlds[0].event()).id, { name, email: email.toUpperCase() });
    await mailsTo(server, email, 6);
    const row = (await worlds[1].subscriptionsOf(email)).at(1) as { id: string; user_id: string };
    expect(await tablesWith(server, [name, email, secret])).not.toEqual([]);

    const answer = await erase(second.token);
    expect([answer.status, answer.text]).toEqual([200, 'true']);
    expect((await mailsTo(server, email, 7))[6]?.subject).toBe('Your data has been erased');
    await settleMails(server);
    expect(await countMails(server, email)).toBe(7);
    await expect.poll(() => tablesWith(server, [name, email, secret])).toEqual([]);
    for (const token of [first.token, second.token, pending]) {
      expectCode(await guests[0].lookup(token), 400, 'INVALID_VERIFICATION_TOKEN');
      expectCode(await erase(token), 400, 'INVALID_VERIFICATION_TOKEN');
    }
    const moved = await send(server, teams[0].manager, `GET /events/${here.id}/subscriptions/${waiting.body.id}`);
    expect(moved.body.status).toBe('accepted');
    const path = `GET /events/${there.id}/subscriptions/${row.id}?include=user`;
    const kept = await send(server, teams[1].manager, path);
    expect(kept.body).toMatchObject({
      status: 'cancelled',
      answers: null,
      user: { name: 'Deleted user', email: null },
    });
    for (const status of ['accepted', 'pending', 'waitlisted']) {
      const revived = await send(server, teams[1].manager, `PATCH /events/${there.id}/subscriptions/${row.id}`, {
        status,
      });
      expectCode(revived, 409, 'INVALID_TRANSITION');
    }
    const mutation = `mutation($id: ID!) {
      updateEventSubscription(input: { id: $id, status: ACCEPTED }) { eventSubscription { status } }
    }`;
    const { errors } = await graphql(server, teams[1].manager, mutation, { id: row.id });
    expect(errors?.[0]?.extensions.code).toBe('INVALID_TRANSITION');
    for (const { owner } of teams) {
      const audit = await send<{ items: object[] }>(server, owner, 'POST /audit/query', {
        where: { action: 'user.erased' },
      });
      expect(audit.body.items).toMatchObject([
        { actor_id: row.user_id, subject_id: row.user_id, ip: null, user_agent: null },
      ]);
    }
    // the address may come again, as somebody new
    const { id } = await worlds[1].event();
    await guests[1].request(id, { name: 'New', email });
    expect((await guests[1].confirm(await guests[1].mailed(email, 8))).status).toBe(200);
    const [newer] = await worlds[1].subscriptionsOf(email);
    expect(newer.user_id).not.toBe(row.user_id);
  });

  it('erases what is requested by a confirmation link, with the guest whose mailbox it proves', async () => {
    const { worlds, guests, name, email, secret } = await createScene();
    await guests[0].request((await worlds[0].asking()).id, { name, email, answers: { badge: secret } });
    const only = await guests[0].mailed(email);
    expect((await erase(only)).body).toBe(true);
    await expect.poll(() => tablesWith(server, [name, email, secret])).toEqual([]);
    expectCode(await guests[0].confirm(only), 400, 'INVALID_VERIFICATION_TOKEN');

    const other = await createScene();
    await other.guests[0].subscribe((await other.worlds[0].event()).id, { name: other.name, email: other.email });
    await other.guests[1].request((await other.worlds[1].event()).id, { name: other.name, email: other.email });
    const pending = await other.guests[1].mailed(other.email, 3);
    expect((await erase(pending)).body).toBe(true);
    await mailsTo(server, other.email, 4);
    await settleMails(server);
    await expect.poll(() => tablesWith(server, [other.name, other.email])).toEqual([]);
  });

  it('refuses whoever has a password or a membership, and leaves everything as it is', async () => {
    const { teams, worlds, guests } = await createScene();
    const holders = [
      await insertUser(server.orm, { email: `${randomUUIDv7()}@example.org` }),
      await insertMember(server.orm, {
        ...{
          organizationId: teams[1].organizationId,
          role: 'member',
          name: 'M',
          email: `${randomUUIDv7()}@example.org`,
        },
        password: null,
      }),
    ];
    for (const { email } of holders) {
      const { token } = await guests[0].subscribe((await worlds[0].event()).id, { email });
      expectCode(await erase(token), 403, 'FORBIDDEN');
      expect((await guests[0].lookup(token)).body.status).toBe('accepted');
      await guests[0].request((await worlds[0].event()).id, { email });
      const pending = await guests[0].mailed(email, 3);
      expectCode(await erase(pending), 403, 'FORBIDDEN');
      expect((await guests[0].lookup(pending)).status).toBe(200);
    }
  });

  it('refuses a token that is none, and anything else', async () => {
    expectCode(await erase('x'.repeat(43)), 400, 'INVALID_VERIFICATION_TOKEN');
    expectCode(await erase(1), 400, 'VALIDATION_ERROR');
    expectCode(await send(server, {}, 'POST /public/subscriptions/erase'), 400, 'VALIDATION_ERROR');
  });

  it('is answered again under the same key', async () => {
    const { worlds, guests, email } = await createScene();
    const { token } = await guests[0].subscribe((await worlds[0].event()).id, { email });
    const key = { 'idempotency-key': randomUUIDv7() };
    const answers = [await erase(token, key), await erase(token, key)];
    expect(answers.map(({ text }) => text)).toEqual(['true', 'true']);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  });
});

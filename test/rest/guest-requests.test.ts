import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { sweep } from '../../src/jobs/sweep.ts';
import { insertMember, insertUser, password } from '../support/fixtures.ts';
import { countMails, guestAddress, guestWorld, mailsTo, settleMails } from '../support/guests.ts';
import { expectCode, graphql, send, trailOf } from '../support/send.ts';
import { createTeam, post, serveTeam } from '../support/server.ts';
import { retentionDays } from '../support/sweeping.ts';
import { tablesWith } from '../support/traces.ts';

const { server, team } = await serveTeam();
const { guest, execute, event, asking, userOf, subscriptionsOf, requested, subscribed } = guestWorld(server, team);
const left = 'select email from guest_request union all select email from "user"';
const leftOf = async (email: string) => await execute(`select from (${left}) l where email = ?`, [email]);

describe('POST /public/subscriptions/confirm', () => {
  it('makes a guest without password and membership, and the subscription with the answers that were sent', async () => {
    const { id } = await asking();
    const email = guestAddress();
    await guest.request(id, { email, name: 'Grace', answers: { badge: 'G' } });
    await mailsTo(server, email);
    // a form that changes meanwhile does not matter any more
    await send(server, team.manager, `PUT /events/${id}/form`, { questions: [] });
    const confirmed = await guest.confirm(await guest.mailed(email));
    expect([confirmed.status, confirmed.body]).toEqual([200, { status: 'accepted' }]);
    expect(confirmed.headers.get('cache-control')).toBe('no-store');
    expect(await userOf(email)).toMatchObject([
      { name: 'Guest', password_hash: null, verified_at: expect.any(String), members: 0 },
    ]);
    const [row] = await subscriptionsOf(email);
    expect(row).toMatchObject({ event_id: id, status: 'accepted', answers: { badge: 'G' }, form_version: 1 });
    const path = `GET /events/${id}/subscriptions/${row.id}`;
    const shown = await send(server, team.manager, `${path}?include=user`);
    expect(shown.body).toMatchObject({ attendee_name: 'Grace', user: { name: null, email } });
    const changes = await send<{ items: object[] }>(server, team.manager, `${path}/changes`);
    expect(changes.body.items).toMatchObject([{ status_from: null, status_to: 'accepted', actor_id: row.user_id }]);
    expect(await execute('select id from guest_request where email = ?', [email])).toEqual([]);
  });

  it('applies the current rules; if refused, the link stays valid', async () => {
    const { id, email, token } = await requested(await event({ capacity: 1, waitingList: false }));
    const set = (sql: string) => execute(`update event set ${sql} where id = ?`, [id]);
    await set('capacity = 0');
    expectCode(await guest.confirm(token), 409, 'EVENT_FULL');
    for (const change of [
      "capacity = 1, visibility = 'organization'",
      "visibility = 'public', registration = 'closed'",
      "registration = 'open', status = 2",
    ]) {
      await set(change);
      expectCode(await guest.confirm(token), 409, 'REGISTRATION_CLOSED');
    }
    expect(await userOf(email)).toEqual([]);
    await set("status = 1, registration = 'approval'");
    expect((await guest.confirm(token)).body).toEqual({ status: 'pending' });
  });

  it('refuses a declined guest, and one who has subscribed in the meantime', async () => {
    const { id, email, status, row } = await subscribed();
    expect(status).toBe('accepted');
    const declined = { status: 'declined', notify: false };
    await send(server, team.manager, `PATCH /events/${id}/subscriptions/${row.id}`, declined);
    await guest.request(id, { email });
    const token = await guest.mailed(email, 3);
    expectCode(await guest.confirm(token), 409, 'SUBSCRIPTION_DECLINED');
    await execute("update subscription set status = 'accepted' where id = ?", [row.id]);
    expectCode(await guest.confirm(token), 409, 'ALREADY_SUBSCRIBED');
    await execute("update subscription set status = 'cancelled' where id = ?", [row.id]);
    expect((await guest.confirm(token)).body).toEqual({ status: 'accepted' });
    expect(await subscriptionsOf(email)).toHaveLength(2);
  });

  it('never passes the capacity, however many confirm at once', async () => {
    const { id } = await event({ capacity: 5 });
    const emails = Array.from({ length: 12 }, guestAddress);
    await Promise.all(emails.map((email) => guest.request(id, { email })));
    const tokens = await Promise.all(emails.map((email) => guest.mailed(email)));
    const answers = await Promise.all(tokens.map((token) => guest.confirm(token)));
    const statuses = answers.map(({ body }) => body.status).sort();
    expect(statuses).toEqual([...Array<string>(5).fill('accepted'), ...Array<string>(7).fill('waitlisted')]);
  });

  it('neither verifies, renames nor signs in an account that there is', async () => {
    const { id } = await event();
    for (const verified of [true, false]) {
      const { email } = await insertUser(server.orm, { name: 'Ada', email: `A-${guestAddress()}`, verified });
      const [before] = await userOf(email);
      const made = await guest.subscribe(id, { email: email.toLowerCase(), name: 'Mallory' });
      expect(made.status).toBe('accepted');
      expect(await userOf(email)).toEqual([before]);
      expect((await guest.lookup(made.token)).body.status).toBe('accepted');
      const login = await post(`${server.url}/auth/login`, { email, password });
      expect(login.status).toBe(verified ? 200 : 401);
      expect(await execute('select id from membership where user_id = ?', [before?.id])).toEqual([]);
      // nothing that a stranger typed greets the owner of an account that nobody proved
      const [, mail] = await mailsTo(server, email, 2);
      expect(mail?.text.startsWith(verified ? 'Hello Ada,' : 'Hello,')).toBe(true);
    }
  });

  it('is over after 24 hours, and then nothing is left', async () => {
    const { email, token } = await requested();
    await execute("update guest_request set expires_at = expires_at - interval '24 hours' where email = ?", [email]);
    expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
    await sweep(new PostgresDatabase(server.orm), { retentionDays });
    expect(await leftOf(email)).toEqual([]);
    const mails = "select from job where lane ~ 'mails' and data::text like '%' || ? || '%'";
    expect(await execute(mails, [email])).toEqual([]);
  });
});

const erase = (token: unknown, headers: Record<string, string> = {}) =>
  send(server, {}, 'POST /public/subscriptions/erase', { token }, headers);

async function createPlace() {
  const team = await createTeam(server);
  return { team, ...guestWorld(server, team) };
}

/** Two organizations, and a person who is found nowhere else. */
async function createScene() {
  const mark = randomUUIDv7();
  const person = { name: `Gus ${mark}`, email: `gus-${mark}@example.org`, secret: `secret-${mark}` };
  return { here: await createPlace(), there: await createPlace(), ...person };
}

describe('POST /public/subscriptions/erase', () => {
  it('erases a guest in every organization, with every link, and lets the lists move', async () => {
    const { here, there, name, email, secret } = await createScene();
    const [full, asking] = [await here.event({ capacity: 1 }), await there.asking()];
    const first = await here.guest.subscribe(full.id, { name, email });
    const waiting = await send(server, here.team.member, `POST /events/${full.id}/subscriptions`);
    expect(waiting.body.status).toBe('waitlisted');
    await there.guest.request(asking.id, { name, email, answers: { badge: secret } });
    await there.guest.confirm(await there.guest.mailed(email, 3));
    const second = await there.guest.mailed(email, 4);
    await here.guest.request((await here.event()).id, { name, email });
    const pending = await here.guest.mailed(email, 5);
    await here.guest.request((await here.event()).id, { name, email: email.toUpperCase() });
    await mailsTo(server, email, 6);
    const row = (await there.subscriptionsOf(email)).at(1) as { id: string; user_id: string };
    expect(await tablesWith(server, [name, email, secret])).not.toEqual([]);

    const answer = await erase(second);
    expect([answer.status, answer.text]).toEqual([200, 'true']);
    expect((await mailsTo(server, email, 7))[6]?.subject).toBe('Your data has been erased');
    await settleMails(server);
    expect(await countMails(server, email)).toBe(7);
    await expect.poll(() => tablesWith(server, [name, email, secret])).toEqual([]);
    for (const token of [first.token, second, pending]) {
      expectCode(await here.guest.lookup(token), 400, 'INVALID_VERIFICATION_TOKEN');
      expectCode(await erase(token), 400, 'INVALID_VERIFICATION_TOKEN');
    }
    const moved = await send(server, here.team.manager, `GET /events/${full.id}/subscriptions/${waiting.body.id}`);
    expect(moved.body.status).toBe('accepted');
    const path = `/events/${asking.id}/subscriptions/${row.id}`;
    const kept = await send(server, there.team.manager, `GET ${path}?include=user`);
    const user = { name: 'Deleted user', email: null };
    expect(kept.body).toMatchObject({ status: 'cancelled', answers: null, user });
    for (const status of ['accepted', 'pending', 'waitlisted']) {
      expectCode(await send(server, there.team.manager, `PATCH ${path}`, { status }), 409, 'INVALID_TRANSITION');
    }
    const mutation = `mutation($id: ID!) {
      updateEventSubscription(input: { id: $id, status: ACCEPTED }) { eventSubscription { status } }
    }`;
    const { errors } = await graphql(server, there.team.manager, mutation, { id: row.id });
    expect(errors?.[0]?.extensions.code).toBe('INVALID_TRANSITION');
    for (const { owner } of [here.team, there.team]) {
      expect(await trailOf(server, owner, { action: 'user.erased' })).toMatchObject([
        { actor_id: row.user_id, subject_id: row.user_id, ip: null, user_agent: null },
      ]);
    }
    // the address may come again, as somebody new
    const { id } = await there.event();
    await there.guest.request(id, { name: 'New', email });
    expect((await there.guest.confirm(await there.guest.mailed(email, 8))).status).toBe(200);
    const [newer] = await there.subscriptionsOf(email);
    expect(newer.user_id).not.toBe(row.user_id);
  });

  it('erases what is requested by a confirmation link, with the guest whose mailbox it proves', async () => {
    const { here, name, email, secret } = await createScene();
    await here.guest.request((await here.asking()).id, { name, email, answers: { badge: secret } });
    const only = await here.guest.mailed(email);
    expect((await erase(only)).body).toBe(true);
    await expect.poll(() => tablesWith(server, [name, email, secret])).toEqual([]);
    expectCode(await here.guest.confirm(only), 400, 'INVALID_VERIFICATION_TOKEN');

    const other = await createScene();
    await other.here.guest.subscribe((await other.here.event()).id, { name: other.name, email: other.email });
    await other.there.guest.request((await other.there.event()).id, { name: other.name, email: other.email });
    const pending = await other.there.guest.mailed(other.email, 3);
    expect((await erase(pending)).body).toBe(true);
    await mailsTo(server, other.email, 4);
    await settleMails(server);
    await expect.poll(() => tablesWith(server, [other.name, other.email])).toEqual([]);
  });

  it('refuses whoever has a password or a membership, and leaves everything as it is', async () => {
    const { here, there } = await createScene();
    const holders = [
      await insertUser(server.orm),
      await insertMember(server.orm, { organizationId: there.team.organizationId, password: null }),
    ];
    for (const { email } of holders) {
      const { token } = await here.guest.subscribe((await here.event()).id, { email });
      expectCode(await erase(token), 403, 'FORBIDDEN');
      expect((await here.guest.lookup(token)).body.status).toBe('accepted');
      await here.guest.request((await here.event()).id, { email });
      const pending = await here.guest.mailed(email, 3);
      expectCode(await erase(pending), 403, 'FORBIDDEN');
      expect((await here.guest.lookup(pending)).status).toBe(200);
    }
  });

  it('refuses a token that is none, and anything else', async () => {
    expectCode(await erase('x'.repeat(43)), 400, 'INVALID_VERIFICATION_TOKEN');
    expectCode(await erase(1), 400, 'VALIDATION_ERROR');
    expectCode(await send(server, {}, 'POST /public/subscriptions/erase'), 400, 'VALIDATION_ERROR');
  });

  it('is answered again under the same key', async () => {
    const { here, email } = await createScene();
    const { token } = await here.guest.subscribe((await here.event()).id, { email });
    const key = { 'idempotency-key': randomUUIDv7() };
    const answers = [await erase(token, key), await erase(token, key)];
    expect(answers.map(({ text }) => text)).toEqual(['true', 'true']);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  });
});

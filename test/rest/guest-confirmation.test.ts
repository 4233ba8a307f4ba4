import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { sweep } from '../../src/jobs/sweep.ts';
import { insertUser, password } from '../support/fixtures.ts';
import { guestAddress, guestWorld } from '../support/guests.ts';
import { mailsTo } from '../support/mail.ts';
import { expectCode, send } from '../support/send.ts';
import { post } from '../support/sign-in.ts';
import { retentionDays } from '../support/sweeping.ts';
import { serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();
const { guest, execute, event, asking, userOf, subscriptionsOf, requested, subscribed } = guestWorld(server, team);
const leftOf = async (email: string) =>
  (
    await execute(
      'select (select count(*)::int from guest_request where email = ?) + (select count(*)::int from "user" where email = ?) as n',
      [email, email],
    )
  )[0]?.n;

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
    await send(server, team.manager, `PATCH /events/${id}/subscriptions/${row.id}`, {
      status: 'declined',
      notify: false,
    });
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
    expect(await leftOf(email)).toBe(0);
    expect(
      await execute("select id from job where lane ~ 'mails' and data::text like '%' || ? || '%'", [email]),
    ).toEqual([]);
  });
});

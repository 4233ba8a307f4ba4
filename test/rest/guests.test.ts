import { describe, expect, it } from 'vitest';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { insertMember, insertSubscription, insertUser, password } from '../support/fixtures.ts';
import { guestAddress, guestOf } from '../support/guests.ts';
import { mailsTo } from '../support/mail.ts';
import { doors, insertPublicEvent, type PublicEventInput } from '../support/public-world.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { post, signIn } from '../support/sign-in.ts';
import { createTeam } from '../support/team.ts';

const server = await shared(startTestServer());
const team = await createTeam(server);
const { organizationId } = team;
const guest = guestOf(server, organizationId);
const execute = (sql: string, values: unknown[] = []) => server.orm.em.fork().execute(sql, values);
const event = (input: Omit<PublicEventInput, 'organizationId'> = {}) =>
  insertPublicEvent(server, { ...input, organizationId });
const badge = { key: 'badge', type: 'text', label: 'Badge', required: true };

async function asking() {
  const made = await event();
  await send(server, team.manager, `PUT /events/${made.id}/form`, { questions: [badge] });
  return made;
}

interface Holder {
  id: string;
  name: string;
  password_hash: string | null;
  verified_at: string | null;
  members: number;
}
const userOf = async (email: string) =>
  (await execute(
    `select u.*, (select count(*)::int from membership m where m.user_id = u.id) as members from "user" u where lower(email) = lower(?)`,
    [email],
  )) as Holder[];
interface Row {
  id: string;
  user_id: string;
}
const subscriptionsOf = async (email: string) =>
  (await execute(
    'select s.* from subscription s join "user" u on u.id = s.user_id where lower(u.email) = lower(?) order by s.created_at',
    [email],
  )) as [Row, ...Row[]];
const leftOf = async (email: string) =>
  (
    await execute(
      'select (select count(*)::int from guest_request where email = ?) + (select count(*)::int from "user" where email = ?) as n',
      [email, email],
    )
  )[0]?.n;

describe('POST /public/events/{event}/subscriptions', () => {
  it('makes nothing but a mail with a link, which says what happens and for how long', async () => {
    const { id, slug } = await event({ name: 'Open Day' });
    const email = guestAddress();
    const asked = await guest.request(slug, { email, name: 'Grace' });
    expect([asked.status, asked.text]).toEqual([200, 'true']);
    const [mail] = await mailsTo(server, email);
    expect(mail?.subject).toBe('Confirm your subscription: Open Day');
    expect(mail?.text).toContain('“Grace”');
    expect(mail?.text).toContain('24 hours');
    expect(mail?.text).toMatch(/http:\/\/events\.test\/confirm-subscription\?token=[\w-]{43}/);
    expect(mail?.text).toContain('(UTC)');
    expect([await userOf(email), await subscriptionsOf(email)]).toEqual([[], []]);
    expect(
      await execute('select hash from guest_request where event_id = ? and hash like ?', [
        id,
        `%${await guest.mailed(email)}%`,
      ]),
    ).toEqual([]);
  });

  it('checks what is sent like that of a member, every fault at once', async () => {
    const { id } = await asking();
    const wrong = { name: ' ', email: 'nobody', answers: { badge: 5, other: 1 }, nonsense: 1 };
    const answer = await guest.request(id, wrong as never);
    expectCode(answer, 400, 'VALIDATION_ERROR');
    expect(pointersOf(answer).sort()).toEqual(['/answers/badge', '/answers/other', '/email', '/name', '/nonsense']);
    expect(pointersOf(await guest.request(id))).toEqual(['/answers/badge']);
    expect(
      pointersOf(await send(server, { organizationId }, `POST /public/events/${id}/subscriptions`)).sort(),
    ).toEqual(['/answers/badge', '/email', '/name']);
    expect(pointersOf(await guest.request(id, { answers: 'x' }))).toEqual(['/answers']);
    const old = await guest.request(id, { answers: { nonsense: 1 }, form_version: 0 });
    expectCode(old, 409, 'CONFLICT');
    expect(pointersOf(old)).toEqual(['/form_version']);
    expect((await guest.request(id, { answers: { badge: 'G' }, form_version: 1 })).status).toBe(200);
  });

  it('finds public events only, and needs the organization', async () => {
    const hidden = await event({ visibility: 'organization' });
    expectCode(await guest.request(hidden.id), 404, 'NOT_FOUND');
    expectCode(await guest.request('nothing'), 404, 'NOT_FOUND');
    expectCode(await guest.request('nothing', { email: 'x' }), 400, 'VALIDATION_ERROR');
    expectCode(
      await send(server, {}, `POST /public/events/${hidden.id}/subscriptions`, {}),
      400,
      'ORGANIZATION_REQUIRED',
    );
  });

  it.each(doors)('to an event %s is refused by the event alone', async (_, input, availability) => {
    const { id } = await event(input);
    const answer = await guest.request(id);
    if (availability === 'closed') expectCode(answer, 409, 'REGISTRATION_CLOSED');
    else if (availability === 'full') expectCode(answer, 409, 'EVENT_FULL');
    else expect([answer.status, answer.text]).toEqual([200, 'true']);
  });

  it('may have 1 MiB', async () => {
    const { id } = await event();
    const questions = Array.from({ length: 20 }, (_, index) => ({ key: `q${index}`, type: 'long_text', label: 'Q' }));
    await send(server, team.manager, `PUT /events/${id}/form`, { questions });
    const answers = Object.fromEntries(questions.map(({ key }) => [key, 'ü'.repeat(10_000)]));
    expect((await guest.request(id, { answers })).status).toBe(200);
  });
});

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
      { name: 'Grace', password_hash: null, verified_at: expect.any(String), members: 0 },
    ]);
    const [row] = await subscriptionsOf(email);
    expect(row).toMatchObject({ event_id: id, status: 'accepted', answers: { badge: 'G' }, form_version: 1 });
    const shown = await send<{ user: { email: string } }>(
      server,
      team.manager,
      `GET /events/${id}/subscriptions/${row.id}?include=user`,
    );
    expect(shown.body.user).toMatchObject({ name: 'Grace', email });
    const changes = await send<{ items: object[] }>(
      server,
      team.manager,
      `GET /events/${id}/subscriptions/${row.id}/changes`,
    );
    expect(changes.body.items).toMatchObject([{ status_from: null, status_to: 'accepted', actor_id: row.user_id }]);
    expect(await execute('select id from guest_request where email = ?', [email])).toEqual([]);
  });

  it('works once, of many at once as well', async () => {
    const { id } = await event();
    const email = guestAddress();
    await guest.request(id, { email });
    const token = await guest.mailed(email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => guest.confirm(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(400)]);
    expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
    expect(await subscriptionsOf(email)).toHaveLength(1);
  });

  it('takes the newer link of an address and an event, and leaves other events alone', async () => {
    const [one, two] = [await event(), await event()];
    const email = guestAddress();
    await guest.request(one.id, { email });
    const older = await guest.mailed(email);
    await guest.request(two.id, { email });
    const other = await guest.mailed(email, 2);
    await guest.request(one.id, { email: email.toUpperCase(), name: 'Newer' });
    const newer = await guest.mailed(email, 3);
    expectCode(await guest.confirm(older), 400, 'INVALID_VERIFICATION_TOKEN');
    expect((await guest.confirm(newer)).status).toBe(200);
    expect((await guest.confirm(other)).status).toBe(200);
    expect(await userOf(email)).toMatchObject([{ name: 'Newer' }]);
  });

  it('goes by the rules of its moment; a refusal leaves the link good', async () => {
    const { id } = await event({ capacity: 1, waitingList: false });
    const email = guestAddress();
    await guest.request(id, { email });
    const token = await guest.mailed(email);
    const set = (sql: string) => execute(`update event set ${sql} where id = ?`, [id]);
    await set('capacity = 0');
    expectCode(await guest.confirm(token), 409, 'EVENT_FULL');
    await set("capacity = 1, visibility = 'organization'");
    expectCode(await guest.confirm(token), 409, 'REGISTRATION_CLOSED');
    await set("visibility = 'public', registration = 'closed'");
    expectCode(await guest.confirm(token), 409, 'REGISTRATION_CLOSED');
    await set("registration = 'open', status = 2");
    expectCode(await guest.confirm(token), 409, 'REGISTRATION_CLOSED');
    expect(await userOf(email)).toEqual([]);
    await set("status = 1, registration = 'approval'");
    expect((await guest.confirm(token)).body).toEqual({ status: 'pending' });
  });

  it('refuses whom a manager declined, and whoever has subscribed meanwhile', async () => {
    const { id } = await event();
    const email = guestAddress();
    const { status } = await guest.subscribe(id, { email });
    expect(status).toBe('accepted');
    const [row] = await subscriptionsOf(email);
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

  it.each(['', 'x', 'A'.repeat(43), '\0', 'é'.repeat(43)])('knows no token %j', async (token) => {
    for (const answer of [await guest.confirm(token), await guest.lookup(token), await guest.cancel(token)]) {
      expect([400]).toContain(answer.status);
    }
    expect(pointersOf(await send(server, {}, 'POST /public/subscriptions/confirm', { token: 5 }))).toEqual(['/token']);
  });

  it('is over after 24 hours, and then nothing is left', async () => {
    const { id } = await event();
    const email = guestAddress();
    await guest.request(id, { email });
    const token = await guest.mailed(email);
    await execute("update guest_request set expires_at = expires_at - interval '24 hours' where email = ?", [email]);
    expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
    const retentionDays = { audit: 365, endedSessions: 30, expiredInvitations: 30, unprovenAccounts: 30, mails: 30 };
    await sweep(new ServiceDatabase(server.orm), { retentionDays });
    expect(await leftOf(email)).toBe(0);
    expect(await execute("select id from mail_job where data::text like '%' || ? || '%'", [email])).toEqual([]);
  });
});

describe('an address with a live subscription', () => {
  it('gets a mail with the link to it instead, at the same answer', async () => {
    const { id } = await event();
    const { email } = await insertMember(server.orm, { organizationId, name: 'Mia' });
    const [user] = await userOf(email);
    await insertSubscription(server.orm, { eventId: id, userId: user?.id as string, status: 'pending' });
    const asked = await guest.request(id, { email, name: 'Stranger' });
    expect([asked.status, asked.text]).toEqual([200, 'true']);
    const [mail] = await mailsTo(server, email);
    expect(mail?.subject).toContain('You have subscribed already');
    expect(mail?.text).not.toContain('Stranger');
    const token = await guest.mailed(email);
    expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
    expect((await guest.lookup(token)).body).toMatchObject({ status: 'pending', event: { id } });
    expect(await execute('select id from guest_request where email = ?', [email])).toEqual([]);
  });
});

describe('the own link', () => {
  it('is in each mail to a guest, and shows the event, the status and the answers', async () => {
    const { id } = await asking();
    const email = guestAddress();
    const { token } = await guest.subscribe(id, { email, answers: { badge: 'G' } });
    const [row] = await subscriptionsOf(email);
    await send(server, team.manager, `PATCH /events/${id}/subscriptions/${row.id}`, { status: 'pending' });
    const later = await guest.mailed(email, 3);
    expect(later).not.toBe(token);
    const anybody = await send(server, { organizationId }, `GET /public/events/${id}`);
    for (const each of [token, later]) {
      const { status, body, headers } = await guest.lookup(each);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(body).toEqual({ event: anybody.body, status: 'pending', answers: { badge: 'G' } });
    }
    await execute("update event set visibility = 'organization' where id = ?", [id]);
    expect((await guest.lookup(token)).body.event).toMatchObject({ id, availability: 'open' });
    expect(await execute('select hash from guest_link where hash in (?, ?)', [token, later])).toEqual([]);
  });

  it('is in no mail to members, who sign in', async () => {
    const { id } = await event();
    await send(server, team.member, `POST /events/${id}/subscriptions`);
    const [mail] = (await mailsTo(server, team.member.email)).slice(-1);
    expect(mail?.text).not.toContain('token=');
  });

  it('changes the answers as a member does', async () => {
    const { id } = await asking();
    const email = guestAddress();
    const { token } = await guest.subscribe(id, { email, answers: { badge: 'G' } });
    const changed = await guest.answer(token, { answers: { badge: 'H' }, form_version: 1 });
    expect([changed.status, changed.body]).toEqual([200, (await guest.lookup(token)).body]);
    expect(changed.body.answers).toEqual({ badge: 'H' });
    expect(pointersOf(await guest.answer(token, { answers: { badge: '', other: 1 } })).sort()).toEqual([
      '/answers/badge',
      '/answers/other',
    ]);
    expect(pointersOf(await guest.answer(token, { answers: null }))).toEqual(['/answers/badge']);
    expect(pointersOf(await guest.answer(token, {}))).toEqual(['/answers']);
    const conflict = await guest.answer(token, { answers: { badge: 'I' }, form_version: 2 });
    expectCode(conflict, 409, 'CONFLICT');
    await execute(
      "update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?",
      [id],
    );
    expectCode(await guest.answer(token, { answers: { badge: 'I' } }), 409, 'INVALID_TRANSITION');
    expect((await guest.lookup(token)).body.answers).toEqual({ badge: 'H' });
  });

  it('cancels, which moves the waiting list, and stays cancelled whatever the date', async () => {
    const { id } = await event({ capacity: 1 });
    const [first, second] = [guestAddress(), guestAddress()];
    const one = await guest.subscribe(id, { email: first });
    const two = await guest.subscribe(id, { email: second });
    expect([one.status, two.status]).toEqual(['accepted', 'waitlisted']);
    expect((await guest.cancel(one.token)).text).toBe('true');
    expect((await guest.lookup(two.token)).body.status).toBe('accepted');
    const [, , mail] = await mailsTo(server, second, 3);
    expect(mail?.subject).toContain('You have a place');
    expect((await guest.cancel(one.token)).text).toBe('true');
    await execute(
      "update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?",
      [id],
    );
    expect((await guest.cancel(one.token)).text).toBe('true');
    expectCode(await guest.cancel(two.token), 409, 'INVALID_TRANSITION');
    expectCode(await guest.answer(one.token, { answers: {} }), 409, 'INVALID_TRANSITION');
  });

  it('works until 30 days after the event, wherever that moves', async () => {
    const { id } = await event();
    const { token } = await guest.subscribe(id, { email: guestAddress() });
    const end = (days: number) =>
      execute(
        `update event set date_start = now() - make_interval(days => ${days}, hours => 2), date_end = now() - make_interval(days => ${days}) where id = ?`,
        [id],
      );
    await end(29);
    expect((await guest.lookup(token)).status).toBe(200);
    await end(31);
    for (const answer of [
      await guest.lookup(token),
      await guest.cancel(token),
      await guest.answer(token, { answers: {} }),
    ]) {
      expectCode(answer, 400, 'INVALID_VERIFICATION_TOKEN');
    }
    await end(-5);
    expect((await guest.lookup(token)).status).toBe(200);
    // a sweep after the first end finds that the event has moved
    const retentionDays = { audit: 365, endedSessions: 30, expiredInvitations: 30, unprovenAccounts: 30, mails: 30 };
    await execute("update guest_link set expires_at = now() - interval '1 second'");
    await sweep(new ServiceDatabase(server.orm), { retentionDays });
    expect((await guest.lookup(token)).status).toBe(200);
    await end(31);
    await execute("update guest_link set expires_at = now() - interval '1 second'");
    await sweep(new ServiceDatabase(server.orm), { retentionDays });
    expect(
      await execute(
        'select l.hash from guest_link l join subscription s on s.id = l.subscription_id where s.event_id = ?',
        [id],
      ),
    ).toEqual([]);
  });
});

describe('a guest who signs up', () => {
  it('goes the way of a taken address: sets a password, joins, and finds the subscriptions', async () => {
    const { id } = await event();
    const email = guestAddress();
    await guest.subscribe(id, { email, name: 'Grace' });
    const signUp = { email, password: 'one-that-nobody-else-has-7', name: 'Somebody else' };
    const answer = await post(`${server.url}/auth/signup`, signUp, { 'x-organization-id': organizationId });
    expect([answer.status, await answer.text()]).toEqual([200, 'true']);
    const refused = await post(`${server.url}/auth/login`, { email, password: signUp.password });
    expect(refused.status).toBe(400);
    const [, , mail] = await mailsTo(server, email, 3);
    expect(mail?.subject).toBe('Choose a password');
    const chosen = 'the-one-that-counts-8';
    const reset = await post(`${server.url}/auth/reset-password`, {
      token: await guest.mailed(email, 3),
      password: chosen,
    });
    expect(reset.status).toBe(200);
    const { accessToken } = await signIn(server.url, email, chosen);
    const own = await send<{ items: object[] }>(
      server,
      { accessToken, organizationId },
      `GET /events/${id}/subscriptions`,
    );
    expect(own.body.items).toMatchObject([{ event_id: id, status: 'accepted' }]);
    expect(await userOf(email)).toMatchObject([{ name: 'Grace', members: 1 }]);
  });
});

import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { sweep } from '../../src/jobs/sweep.ts';
import { insertMember, insertSubscription } from '../support/fixtures.ts';
import { guestAddress, guestWorld, mailsTo } from '../support/guests.ts';
import { doors, inDays, runOut } from '../support/public-world.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { retentionDays } from '../support/sweeping.ts';

const { server, team } = await serveTeam();
const { organizationId } = team;
const { guest, execute, event, asking, userOf, subscriptionsOf, requested, subscribed } = guestWorld(server, team);

describe('POST /public/events/{event}/subscriptions', () => {
  it('makes nothing but a mail with a link, which says what happens and for how long', async () => {
    const { id, slug } = await event({ name: 'Open Day' });
    const email = guestAddress();
    const asked = await guest.request(slug, { email, name: 'Grace' });
    expect([asked.status, asked.text]).toEqual([200, 'true']);
    const [mail] = await mailsTo(server, email);
    expect(mail?.subject).toBe('Confirm your subscription');
    expect(mail?.text).toContain('“Grace”');
    expect(mail?.text).toContain('24 hours');
    expect(mail?.text).toMatch(/http:\/\/events\.test\/confirm-subscription\?token=[\w-]{43}/);
    expect(mail?.text).toContain('(UTC)');
    expect([await userOf(email), await subscriptionsOf(email)]).toEqual([[], []]);
    const [request] = await execute('select hash from guest_request where event_id = ?', [id]);
    expect(request?.hash).not.toContain(await guest.mailed(email));
  });

  it('checks the input like that of a member, and reports all errors at once', async () => {
    const { id } = await asking();
    const wrong = { name: ' ', email: 'nobody', answers: { badge: 5, other: 1 }, nonsense: 1 };
    const answer = await guest.request(id, wrong as never);
    expectCode(answer, 400, 'VALIDATION_ERROR', ['/answers/badge', '/answers/other', '/email', '/name', '/nonsense']);
    expect(pointersOf(await guest.request(id))).toEqual(['/answers/badge']);
    expect(
      pointersOf(await send(server, { organizationId }, `POST /public/events/${id}/subscriptions`)).sort(),
    ).toEqual(['/answers/badge', '/email', '/name']);
    expect(pointersOf(await guest.request(id, { answers: 'x' }))).toEqual(['/answers']);
    const old = await guest.request(id, { answers: { nonsense: 1 }, form_version: 0 });
    expectCode(old, 409, 'CONFLICT', ['/form_version']);
    expect((await guest.request(id, { answers: { badge: 'G' }, form_version: 1 })).status).toBe(200);
  });

  it('finds public events only, and needs the organization', async () => {
    const hidden = await event({ visibility: 'organization' });
    expectCode(await guest.request(hidden.id), 404, 'NOT_FOUND');
    expectCode(await guest.request('nothing'), 404, 'NOT_FOUND');
    expectCode(await guest.request('nothing', { email: 'x' }), 400, 'VALIDATION_ERROR');
    const nowhere = await send(server, {}, `POST /public/events/${hidden.id}/subscriptions`, {});
    expectCode(nowhere, 400, 'ORGANIZATION_REQUIRED');
  });

  it.each(doors)('to an event %s is refused by the event alone', async (_, input, availability) => {
    const { id } = await event(input);
    const answer = await guest.request(id);
    if (availability === 'closed') expectCode(answer, 409, 'REGISTRATION_CLOSED');
    else if (availability === 'full') expectCode(answer, 409, 'EVENT_FULL');
    else expect([answer.status, answer.text]).toEqual([200, 'true']);
  });
});

it('an address with a live subscription gets a mail with the link to it instead, at the same answer', async () => {
  const { id } = await event();
  const { email } = await insertMember(server.orm, { organizationId, name: 'Mia' });
  const [user] = await userOf(email);
  await insertSubscription(server.orm, { eventId: id, userId: user?.id as string, status: 'pending' });
  const asked = await guest.request(id, { email, name: 'Stranger' });
  expect([asked.status, asked.text]).toEqual([200, 'true']);
  const [mail] = await mailsTo(server, email);
  expect(mail?.subject).toContain('You have already subscribed');
  expect(mail?.text).not.toContain('Stranger');
  const token = await guest.mailed(email);
  expectCode(await guest.confirm(token), 400, 'INVALID_VERIFICATION_TOKEN');
  expect((await guest.lookup(token)).body).toMatchObject({ status: 'pending', event: { id } });
  expect(await execute('select id from guest_request where email = ?', [email])).toEqual([]);
});

describe('the own link', () => {
  it('shows the event, the status and the answers', async () => {
    const { id, token, row } = await subscribed(await asking(), { answers: { badge: 'G' } });
    await send(server, team.manager, `PATCH /events/${id}/subscriptions/${row.id}`, { status: 'pending' });
    const anybody = await send(server, { organizationId }, `GET /public/events/${id}`);
    const { status, body, headers } = await guest.lookup(token);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({ event: anybody.body, status: 'pending', waiting_position: null, answers: { badge: 'G' } });
    await execute("update event set visibility = 'organization' where id = ?", [id]);
    expect((await guest.lookup(token)).body.event).toMatchObject({ id, availability: 'open' });
  });

  it('is in no mail to members, who sign in', async () => {
    const { id } = await event();
    await send(server, team.member, `POST /events/${id}/subscriptions`);
    const [mail] = (await mailsTo(server, team.member.email)).slice(-1);
    expect(mail?.text).not.toContain('token=');
  });

  it('shows the position on the waiting list, and none before it is confirmed', async () => {
    const { id, email, token } = await requested(await event({ capacity: 1, accepted: 1, waiting: 2 }));
    expect((await guest.lookup(token)).body).toMatchObject({ status: null, waiting_position: null });
    await guest.confirm(token);
    const own = await guest.mailed(email, 2);
    const waiting = { status: 'waitlisted', waiting_position: 3 };
    expect((await guest.lookup(own)).body).toMatchObject(waiting);
    expect((await guest.answer(own, { answers: null })).body).toMatchObject(waiting);
    expect((await send(server, {}, `GET /my-subscription?token=${own}`)).text).toContain(
      'You are 3rd on the waiting list',
    );
    await send(server, team.manager, `PATCH /events/${id}`, { capacity: 2 });
    expect((await guest.lookup(own)).body.waiting_position).toBe(2);
    await send(server, team.manager, `PATCH /events/${id}`, { capacity: null });
    expect((await guest.lookup(own)).body).toMatchObject({ status: 'accepted', waiting_position: null });
  });

  it('changes the answers as a member does', async () => {
    const { id, token } = await subscribed(await asking(), { answers: { badge: 'G' } });
    const changed = await guest.answer(token, { answers: { badge: 'H' }, form_version: 1 });
    expect([changed.status, changed.body]).toEqual([200, (await guest.lookup(token)).body]);
    expect(changed.body.answers).toEqual({ badge: 'H' });
    const wrong = await guest.answer(token, { answers: { badge: '', other: 1 } });
    expectCode(wrong, 400, 'VALIDATION_ERROR', ['/answers/badge', '/answers/other']);
    expect(pointersOf(await guest.answer(token, { answers: null }))).toEqual(['/answers/badge']);
    expect(pointersOf(await guest.answer(token, {}))).toEqual(['/answers']);
    const conflict = await guest.answer(token, { answers: { badge: 'I' }, form_version: 2 });
    expectCode(conflict, 409, 'CONFLICT');
    await runOut(server, id);
    expectCode(await guest.answer(token, { answers: { badge: 'I' } }), 409, 'INVALID_TRANSITION');
    expect((await guest.lookup(token)).body.answers).toEqual({ badge: 'H' });
  });

  it('cancels, which moves the waiting list, and stays cancelled whatever the date', async () => {
    const one = await subscribed(await event({ capacity: 1 }));
    const two = await subscribed(one);
    expect([one.status, two.status]).toEqual(['accepted', 'waitlisted']);
    expect((await guest.cancel(one.token)).text).toBe('true');
    expect((await guest.lookup(two.token)).body.status).toBe('accepted');
    const [, , mail] = await mailsTo(server, two.email, 3);
    expect(mail?.subject).toContain('You have a place');
    expect((await guest.cancel(one.token)).text).toBe('true');
    await runOut(server, one.id);
    expect((await guest.cancel(one.token)).text).toBe('true');
    expectCode(await guest.cancel(two.token), 409, 'INVALID_TRANSITION');
    expectCode(await guest.answer(one.token, { answers: {} }), 409, 'INVALID_TRANSITION');
  });

  it('works until 30 days after the event, wherever that moves', async () => {
    const { id, token } = await subscribed();
    const ended = "update event set date_start = ?::timestamptz - interval '2 hours', date_end = ? where id = ?";
    const end = (days: number) => execute(ended, [inDays(-days), inDays(-days), id]);
    await end(29);
    expect((await guest.lookup(token)).status).toBe(200);
    await end(31);
    const late = [await guest.lookup(token), await guest.cancel(token), await guest.answer(token, { answers: {} })];
    for (const answer of late) expectCode(answer, 400, 'INVALID_VERIFICATION_TOKEN');
    await end(-5);
    expect((await guest.lookup(token)).status).toBe(200);
    // a sweep after the first end finds that the event has moved
    await execute("update guest_link set expires_at = now() - interval '1 second'");
    await sweep(new PostgresDatabase(server.orm), { retentionDays });
    expect((await guest.lookup(token)).status).toBe(200);
    await end(31);
    await execute("update guest_link set expires_at = now() - interval '1 second'");
    await sweep(new PostgresDatabase(server.orm), { retentionDays });
    const links = 'select from guest_link l join subscription s on s.id = l.subscription_id where s.event_id = ?';
    expect(await execute(links, [id])).toEqual([]);
  });
});

import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { insertUser } from '../support/fixtures.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { pathOf, statusOf, subscribing } from '../support/subscribing.ts';
import { createTeam, join } from '../support/team.ts';

const server = await shared(startTestServer({ env: { RATE_LIMIT: 'off' } }));
const team = await createTeam(server);
const newcomer = () => join(server, team.organizationId, 'member');
const others = [await newcomer(), await newcomer(), await newcomer(), await newcomer()] as const;
const { event, pastEvent, subscribe, move, read, history } = subscribing(server, team);

describe('POST /events/{event}/subscriptions', () => {
  it('gives a place, with its path, its history and one accepted more', async () => {
    const to = await event({ capacity: 2 });
    const made = await subscribe(team.member, to);
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(pathOf(made.body));
    expect(made.body).toMatchObject({
      event_id: to.id,
      user_id: team.member.userId,
      status: 'accepted',
      answers: null,
      form_version: null,
      waiting_since: null,
      checked_in_at: null,
    });
    expect(await read(made.body)).toEqual(made.body);
    expect(await history(made.body)).toEqual([['status', null, 'accepted', team.member.userId]]);
    const { body } = await send<EventRow>(server, team.manager, `GET /events/${to.id}`);
    expect(body).toMatchObject({ accepted_count: 1, version: 1, updated_at: to.updated_at });
  });

  it('depends on the registration of the event', async () => {
    expect(await statusOf(subscribe(team.member, await event({ registration: 'approval' })))).toBe('pending');
    expectCode(await subscribe(team.member, await event({ registration: 'closed' })), 409, 'REGISTRATION_CLOSED');
    const full = await event({ capacity: 0 });
    const waiting = await subscribe(team.member, full);
    expect(waiting.body).toMatchObject({ status: 'waitlisted', waiting_since: expect.any(String) });
    expectCode(await subscribe(team.member, await event({ capacity: 0, waiting_list: false })), 409, 'EVENT_FULL');
  });

  it.each([0, 2, 3])('is refused for an event with status %i', async (state) => {
    const to = await event();
    await server.execute('update event set status = ? where id = ?', [state, to.id]);
    const code = state === 0 ? 'NOT_FOUND' : 'REGISTRATION_CLOSED';
    expectCode(await subscribe(team.member, to), state === 0 ? 404 : 409, code);
    expectCode(await subscribe(team.manager, to), 409, 'REGISTRATION_CLOSED');
  });

  it('is over for members once the event has run out, and not for managers', async () => {
    const to = await pastEvent();
    expectCode(await subscribe(team.member, to), 409, 'REGISTRATION_CLOSED');
    expect(await statusOf(subscribe(team.manager, to, { user_id: team.member.userId }))).toBe('accepted');
  });

  it('refuses members the operations of managers, before checking the input', async () => {
    const to = await event();
    for (const body of [
      { user_id: team.owner.userId },
      { user_id: 'nonsense' },
      { status: 'accepted' },
      { status: 1, nonsense: true },
      { notify: false },
    ]) {
      expectCode(await subscribe(team.member, to, body), 403, 'FORBIDDEN');
    }
    expect((await subscribe(team.member, to, { user_id: team.member.userId })).status).toBe(201);
  });

  it('lets a manager name a member with a proven address, and nobody else', async () => {
    const to = await event();
    const stranger = await insertUser(server.orm);
    const unproven = await join(server, team.organizationId, 'member');
    await server.execute('update "user" set verified_at = null where id = ?', [unproven.userId]);
    for (const id of [stranger.id, unproven.userId, randomUUIDv7(), 'nonsense']) {
      const refused = await subscribe(team.manager, to, { user_id: id });
      expectCode(refused, 400, 'VALIDATION_ERROR');
      expect(pointersOf(refused)).toEqual(['/user_id']);
    }
    expect((await subscribe(team.manager, to, { user_id: team.member.userId })).status).toBe(201);
  });

  it('lets a manager pass closed doors and never the capacity', async () => {
    const closed = await event({ registration: 'closed', capacity: 1 });
    expectCode(await subscribe(team.manager, closed), 409, 'REGISTRATION_CLOSED');
    expect(await statusOf(subscribe(team.manager, closed, { user_id: team.member.userId }))).toBe('accepted');
    const refused = await subscribe(team.manager, closed, { user_id: others[0].userId, status: 'accepted' });
    expectCode(refused, 409, 'EVENT_FULL');
    const pending = await subscribe(team.manager, closed, { user_id: others[0].userId, status: 'pending' });
    expect(pending.body.status).toBe('pending');
    const noList = await event({ capacity: 0, waiting_list: false });
    expect(await statusOf(subscribe(team.manager, noList, { status: 'waitlisted' }))).toBe('waitlisted');
    const free = await event({ capacity: 1 });
    expect(await statusOf(subscribe(team.manager, free, { status: 'waitlisted' }))).toBe('accepted');
  });

  it('keeps the order of changes that happen at once in the history', async () => {
    const to = await event({ capacity: 10 });
    for (const { userId } of [team.manager, team.member, ...others]) {
      const { body } = await subscribe(team.manager, to, { user_id: userId, status: 'waitlisted' });
      expect(await history(body)).toEqual([
        ['status', null, 'waitlisted', team.manager.userId],
        ['status', 'waitlisted', 'accepted', null],
      ]);
    }
  });

  it('is refused while one is live, and after a decline', async () => {
    const to = await event({ registration: 'approval' });
    const { body } = await subscribe(team.member, to);
    expectCode(await subscribe(team.member, to), 409, 'ALREADY_SUBSCRIBED');
    expectCode(await subscribe(team.manager, to, { user_id: team.member.userId }), 409, 'ALREADY_SUBSCRIBED');
    await move(team.manager, body, { status: 'declined' });
    expectCode(await subscribe(team.member, to), 409, 'SUBSCRIPTION_DECLINED');
    // of several refusals this one comes first
    await send(server, team.manager, `PATCH /events/${to.id}`, { registration: 'closed' });
    expectCode(await subscribe(team.member, to), 409, 'SUBSCRIPTION_DECLINED');
    expect((await subscribe(team.manager, to, { user_id: team.member.userId })).status).toBe(201);
  });

  it('makes a new row after a cancellation, and the old one stays', async () => {
    const to = await event();
    const { body: first } = await subscribe(team.member, to);
    await move(team.member, first, { status: 'cancelled' });
    const { body: second } = await subscribe(team.member, to);
    expect(second.id).not.toBe(first.id);
    expect((await read(first)).status).toBe('cancelled');
  });

  it('refuses answers to a form that does not exist', async () => {
    const to = await event();
    const refused = await subscribe(team.member, to, { answers: { diet: 'x', size: 1 } });
    expectCode(refused, 400, 'VALIDATION_ERROR');
    expect(pointersOf(refused)).toEqual(['/answers/diet', '/answers/size']);
    const version = await subscribe(team.member, to, { answers: {}, form_version: 1 });
    expectCode(version, 409, 'CONFLICT');
    expect(pointersOf(version)).toEqual(['/form_version']);
    expect((await subscribe(team.member, to, { answers: {}, form_version: 0 })).status).toBe(201);
  });

  it('respects the order of the waiting list', async () => {
    const to = await event({ capacity: 1 });
    await subscribe(others[0], to);
    const { body: waiting } = await subscribe(others[1], to);
    // an import may leave a free place beside somebody who waits
    await server.execute('update event set capacity = 2 where id = ?', [to.id]);
    const { body: newcomer } = await subscribe(others[2], to);
    expect((await read(waiting)).status).toBe('accepted');
    expect(newcomer.status).toBe('waitlisted');
  });

  it('makes one of 50 parallel requests of one user', async () => {
    const to = await event({ capacity: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => subscribe(team.member, to)));
    expect(answers.filter((each) => each.status === 201)).toHaveLength(1);
    for (const each of answers.filter(({ status: code }) => code !== 201)) expectCode(each, 409, 'ALREADY_SUBSCRIBED');
  });
});

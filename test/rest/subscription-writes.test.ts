import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { holderTransitions, managerTransitions } from '../../src/domain/subscription/subscription.state.ts';
import { insertUser } from '../support/fixtures.ts';
import { type Answer, expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createTeam, join, type Person, type Team } from '../support/team.ts';

let server: TestServer;
let team: Team;
let others: Person[];
beforeAll(async () => {
  server = await startTestServer({ env: { RATE_LIMIT: 'off' } });
  team = await createTeam(server);
  others = [];
  for (let index = 0; index < 4; index += 1) others.push(await join(server, team.organizationId, 'member'));
});
afterAll(() => server.close());

const day = 86_400_000;
const iso = (days: number) => new Date(Date.now() + days * day).toISOString();

async function event(fields: Record<string, unknown> = {}): Promise<EventRow> {
  const made = await send<EventRow>(server, team.manager, 'POST /events', {
    name: 'Open Day',
    status: 1,
    date_start: iso(10),
    date_end: iso(11),
    ...fields,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** An event that has run out. */
async function pastEvent(fields: Record<string, unknown> = {}): Promise<EventRow> {
  return event({ date_start: iso(-3), date_end: iso(-2), ...fields });
}

const subscribe = (person: Person, to: EventRow, body?: unknown) =>
  send<SubscriptionRow>(server, person, `POST /events/${to.id}/subscriptions`, body);

const path = (row: SubscriptionRow) => `/events/${row.event_id}/subscriptions/${row.id}`;

const move = (person: Person, row: SubscriptionRow, body: unknown) =>
  send<SubscriptionRow>(server, person, `PATCH ${path(row)}`, body);

const read = async (row: SubscriptionRow) =>
  (await send<SubscriptionRow>(server, team.manager, `GET ${path(row)}`)).body;

const status = async (answer: Promise<Answer<SubscriptionRow>>) => (await answer).body.status;

async function history(row: SubscriptionRow): Promise<unknown[]> {
  const { body } = await send<{ items: Record<string, unknown>[] }>(server, team.manager, `GET ${path(row)}/changes`);
  return body.items.map(({ kind, status_from, status_to, actor_id }) => [kind, status_from, status_to, actor_id]);
}

describe('POST /events/{event}/subscriptions', () => {
  it('gives a place, with its path, its history and one accepted more', async () => {
    const to = await event({ capacity: 2 });
    const made = await subscribe(team.member, to);
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(path(made.body));
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

  it('goes by the registration of the event', async () => {
    expect(await status(subscribe(team.member, await event({ registration: 'approval' })))).toBe('pending');
    expectCode(await subscribe(team.member, await event({ registration: 'closed' })), 409, 'REGISTRATION_CLOSED');
    const full = await event({ capacity: 0 });
    const waiting = await subscribe(team.member, full);
    expect(waiting.body).toMatchObject({ status: 'waitlisted', waiting_since: expect.any(String) });
    expectCode(await subscribe(team.member, await event({ capacity: 0, waiting_list: false })), 409, 'EVENT_FULL');
  });

  it.each([0, 2, 3])('is refused for an event with status %i', async (state) => {
    const to = await event();
    await server.orm.em.fork().execute('update event set status = ? where id = ?', [state, to.id]);
    const code = state === 0 ? 'NOT_FOUND' : 'REGISTRATION_CLOSED';
    expectCode(await subscribe(team.member, to), state === 0 ? 404 : 409, code);
    expectCode(await subscribe(team.manager, to), 409, 'REGISTRATION_CLOSED');
  });

  it('is over for members once the event has run out, and not for managers', async () => {
    const to = await pastEvent();
    expectCode(await subscribe(team.member, to), 409, 'REGISTRATION_CLOSED');
    expect(await status(subscribe(team.manager, to, { user_id: team.member.userId }))).toBe('accepted');
  });

  it('refuses members what is for managers, before it looks at the input', async () => {
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
    await server.orm.em.fork().execute('update "user" set verified_at = null where id = ?', [unproven.userId]);
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
    expect(await status(subscribe(team.manager, closed, { user_id: team.member.userId }))).toBe('accepted');
    const refused = await subscribe(team.manager, closed, { user_id: others[0]?.userId, status: 'accepted' });
    expectCode(refused, 409, 'EVENT_FULL');
    const pending = await subscribe(team.manager, closed, { user_id: others[0]?.userId, status: 'pending' });
    expect(pending.body.status).toBe('pending');
    const noList = await event({ capacity: 0, waiting_list: false });
    expect(await status(subscribe(team.manager, noList, { status: 'waitlisted' }))).toBe('waitlisted');
    const free = await event({ capacity: 1 });
    expect(await status(subscribe(team.manager, free, { status: 'waitlisted' }))).toBe('accepted');
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

  it('is refused twice: while one is live, and to who was declined', async () => {
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

  it('lets nobody overtake who waits', async () => {
    const to = await event({ capacity: 1 });
    await subscribe(others[0] as Person, to);
    const { body: waiting } = await subscribe(others[1] as Person, to);
    // an import may leave a free place beside somebody who waits
    await server.orm.em.fork().execute('update event set capacity = 2 where id = ?', [to.id]);
    const { body: newcomer } = await subscribe(others[2] as Person, to);
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

describe('PATCH /events/{event}/subscriptions/{subscription}', () => {
  const states = ['pending', 'accepted', 'waitlisted', 'declined', 'cancelled'] as const;
  const pairs = states.flatMap((from) => states.filter((to) => to !== from).map((to) => [from, to] as const));

  async function having(from: (typeof states)[number], to: EventRow): Promise<SubscriptionRow> {
    const { body } = await subscribe(team.member, to);
    const since = from === 'waitlisted' ? iso(0) : null;
    await server.orm.em
      .fork()
      .execute('update subscription set status = ?, waiting_since = ? where id = ?', [from, since, body.id]);
    return body;
  }

  it.each(pairs)('moves %s to %s as the table of managers says', async (from, to) => {
    // beside a free place nobody stays on the list
    const at = await event({ capacity: to === 'waitlisted' ? 0 : null, waiting_list: true });
    await server.orm.em.fork().execute('update event set capacity = null where id = ?', [at.id]);
    const row = await having(from, at);
    if (to === 'waitlisted') {
      await server.orm.em.fork().execute('update event set capacity = accepted_count where id = ?', [at.id]);
    }
    const moved = await move(team.manager, row, { status: to });
    if (!managerTransitions[from].includes(to)) {
      expectCode(moved, 409, 'INVALID_TRANSITION');
      expect(pointersOf(moved)).toEqual(['/status']);
      return;
    }
    const expected = to === 'waitlisted' && from === 'accepted' ? ['waitlisted', 'accepted'] : [to];
    expect(expected).toContain(moved.body.status);
    expect(await history(moved.body)).toContainEqual(['status', from, to, team.manager.userId]);
  });

  it.each(pairs)('moves %s to %s as the table of holders says', async (from, to) => {
    const row = await having(from, await event());
    const moved = await move(team.member, row, { status: to });
    if (holderTransitions[from].includes(to)) expect(moved.body.status).toBe(to);
    else expectCode(moved, 409, 'INVALID_TRANSITION');
  });

  it('changes nothing for the status that it has, also after the event', async () => {
    const to = await event();
    const { body } = await subscribe(team.member, to);
    await server.orm.em
      .fork()
      .execute(
        `update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?`,
        [to.id],
      );
    expect((await move(team.member, body, { status: 'accepted' })).body).toEqual(body);
    expect((await move(team.member, body, {})).body).toEqual(body);
    expectCode(await move(team.member, body, { status: 'cancelled' }), 409, 'INVALID_TRANSITION');
    expectCode(await move(team.member, body, { answers: {} }), 409, 'INVALID_TRANSITION');
    expect(await status(move(team.manager, body, { status: 'cancelled' }))).toBe('cancelled');
  });

  it('gives the place of who leaves to the first who waits', async () => {
    const to = await event({ capacity: 1 });
    const { body: holder } = await subscribe(others[0] as Person, to);
    const { body: first } = await subscribe(others[1] as Person, to);
    const { body: second } = await subscribe(others[2] as Person, to);
    await move(others[0] as Person, holder, { status: 'cancelled' });
    expect([(await read(first)).status, (await read(second)).status]).toEqual(['accepted', 'waitlisted']);
    expect(await history(first)).toEqual([
      ['status', null, 'waitlisted', others[1]?.userId],
      ['status', 'waitlisted', 'accepted', null],
    ]);
    // who comes back stands at the end
    await move(team.manager, first, { status: 'waitlisted' });
    expect([(await read(first)).status, (await read(second)).status]).toEqual(['waitlisted', 'accepted']);
  });

  it('moves the list when the capacity rises or goes, and when the event is active again or ends later', async () => {
    const to = await event({ capacity: 0 });
    const rows: SubscriptionRow[] = [];
    for (const person of others) rows.push((await subscribe(person, to)).body);
    const states = async () => Promise.all(rows.map(async (row) => (await read(row)).status));
    const change = (fields: object) => send(server, team.manager, `PATCH /events/${to.id}`, fields);
    await change({ capacity: 1 });
    expect(await states()).toEqual(['accepted', 'waitlisted', 'waitlisted', 'waitlisted']);
    await change({ status: 2 });
    await change({ capacity: 2 });
    expect(await states()).toEqual(['accepted', 'waitlisted', 'waitlisted', 'waitlisted']);
    await change({ status: 1 });
    expect(await states()).toEqual(['accepted', 'accepted', 'waitlisted', 'waitlisted']);
    await change({ date_start: iso(-3), date_end: iso(-2) });
    await change({ capacity: 3 });
    expect(await states()).toEqual(['accepted', 'accepted', 'waitlisted', 'waitlisted']);
    await change({ date_end: iso(2) });
    expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'waitlisted']);
    await change({ capacity: null });
    expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  });

  it('accepts nobody without a free place, and brings nobody back who has another live one', async () => {
    const to = await event({ capacity: 1, registration: 'approval' });
    const { body: first } = await subscribe(others[0] as Person, to);
    const { body: second } = await subscribe(others[1] as Person, to);
    expect(await status(move(team.manager, first, { status: 'accepted' }))).toBe('accepted');
    expectCode(await move(team.manager, second, { status: 'accepted' }), 409, 'EVENT_FULL');
    await move(others[1] as Person, second, { status: 'cancelled' });
    await subscribe(others[1] as Person, to);
    expectCode(await move(team.manager, second, { status: 'pending' }), 409, 'ALREADY_SUBSCRIBED');
  });

  it("is not found for somebody else's, for another event's and for a malformed id", async () => {
    const [to, another] = [await event(), await event()];
    const { body } = await subscribe(team.member, to);
    expectCode(await move(others[0] as Person, body, { status: 'cancelled' }), 404, 'NOT_FOUND');
    expectCode(await move(team.manager, { ...body, event_id: another.id }, { status: 'cancelled' }), 404, 'NOT_FOUND');
    expectCode(await move(team.manager, { ...body, id: 'nonsense' }, { status: 'cancelled' }), 404, 'NOT_FOUND');
    expectCode(await move(team.member, body, { notify: true }), 403, 'FORBIDDEN');
    expectCode(await move(team.member, body, { status: 'nonsense' }), 400, 'VALIDATION_ERROR');
  });
});

describe('check-in', () => {
  it('notes the time once, says it to who tries again, and can be taken back', async () => {
    const { body } = await subscribe(team.member, await event());
    const checkIn = () => send<SubscriptionRow>(server, team.manager, `POST ${path(body)}/check-in`);
    expectCode(await send(server, team.member, `POST ${path(body)}/check-in`), 403, 'FORBIDDEN');
    const answers = await Promise.all(Array.from({ length: 20 }, checkIn));
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    const { checked_in_at: time } = await read(body);
    const refused = answers.find((each) => each.status === 409) as Answer<unknown>;
    expectCode(refused, 409, 'ALREADY_CHECKED_IN');
    expect(refused.text).toContain(time);
    expectCode(await move(team.member, body, { status: 'cancelled' }), 409, 'INVALID_TRANSITION');
    expectCode(await move(team.manager, body, { status: 'declined' }), 409, 'INVALID_TRANSITION');
    const undo = () => send<SubscriptionRow>(server, team.manager, `DELETE ${path(body)}/check-in`);
    expect((await undo()).body.checked_in_at).toBeNull();
    expect((await undo()).status).toBe(200);
    expect(await history(body)).toEqual([
      ['status', null, 'accepted', team.member.userId],
      ['check_in', 'accepted', 'accepted', team.manager.userId],
      ['undo_check_in', 'accepted', 'accepted', team.manager.userId],
    ]);
  });

  it('is for accepted subscriptions to active events, and takes no fields', async () => {
    const to = await event({ registration: 'approval' });
    const { body } = await subscribe(team.member, to);
    expectCode(await send(server, team.manager, `POST ${path(body)}/check-in`), 409, 'INVALID_TRANSITION');
    expectCode(await send(server, team.manager, `POST ${path(body)}/check-in`, { x: 1 }), 400, 'VALIDATION_ERROR');
    await move(team.manager, body, { status: 'accepted' });
    await send(server, team.manager, `PATCH /events/${to.id}`, { status: 2 });
    expectCode(await send(server, team.manager, `POST ${path(body)}/check-in`), 409, 'INVALID_TRANSITION');
  });
});

describe('POST /events/{event}/subscriptions/transition', () => {
  it('moves each independently, in order, and says why the others were refused', async () => {
    const to = await event({ capacity: 1, registration: 'approval' });
    const rows = [];
    for (const person of others.slice(0, 3)) rows.push((await subscribe(person, to)).body);
    const [first, second, third] = rows as [SubscriptionRow, SubscriptionRow, SubscriptionRow];
    const { body: elsewhere } = await subscribe(team.member, await event());
    const ids = ['nonsense', second.id, first.id, elsewhere.id, third.id];
    const transition = (person: Person, body: unknown) =>
      send<{ items: SubscriptionRow[]; errors: unknown[] }>(
        server,
        person,
        `POST /events/${to.id}/subscriptions/transition`,
        body,
      );
    const { body } = await transition(team.manager, { ids, status: 'accepted' });
    expect(body.items.map(({ id, status: now }) => [id, now])).toEqual([[second.id, 'accepted']]);
    expect(body.errors).toMatchObject([
      { pointer: '/ids/0', code: 'NOT_FOUND' },
      { pointer: '/ids/2', code: 'EVENT_FULL' },
      { pointer: '/ids/3', code: 'NOT_FOUND' },
      { pointer: '/ids/4', code: 'EVENT_FULL' },
    ]);
    expectCode(await transition(team.member, { nonsense: true }), 403, 'FORBIDDEN');
    const twice = await transition(team.manager, { ids: [first.id, first.id.toUpperCase()], status: 'declined' });
    expectCode(twice, 400, 'VALIDATION_ERROR');
    expect(pointersOf(twice)).toEqual(['/ids/1']);
    expectCode(await transition(team.manager, { ids: [], status: 'declined' }), 400, 'VALIDATION_ERROR');
  });
});

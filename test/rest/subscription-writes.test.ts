import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { holderTransitions, managerTransitions } from '../../src/domain/subscription/subscription.state.ts';
import { type Answer, expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { isoInDays, pathOf, statusOf, subscribing } from '../support/subscribing.ts';
import { createTeam, join, type Person } from '../support/team.ts';

const server = await shared(startTestServer({ env: { RATE_LIMIT: 'off' } }));
const team = await createTeam(server);
const newcomer = () => join(server, team.organizationId, 'member');
const others = [await newcomer(), await newcomer(), await newcomer(), await newcomer()] as const;
const { event, subscribe, move, read, history } = subscribing(server, team);

describe('PATCH /events/{event}/subscriptions/{subscription}', () => {
  const states = ['pending', 'accepted', 'waitlisted', 'declined', 'cancelled'] as const;
  const pairs = states.flatMap((from) => states.filter((to) => to !== from).map((to) => [from, to] as const));

  async function having(from: (typeof states)[number], to: EventRow): Promise<SubscriptionRow> {
    const { body } = await subscribe(team.member, to);
    const since = from === 'waitlisted' ? isoInDays(0) : null;
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
    expect(await statusOf(move(team.manager, body, { status: 'cancelled' }))).toBe('cancelled');
  });

  it('gives the place of a member who leaves to the first on the waiting list', async () => {
    const to = await event({ capacity: 1 });
    const { body: holder } = await subscribe(others[0], to);
    const { body: first } = await subscribe(others[1], to);
    const { body: second } = await subscribe(others[2], to);
    await move(others[0], holder, { status: 'cancelled' });
    expect([(await read(first)).status, (await read(second)).status]).toEqual(['accepted', 'waitlisted']);
    expect(await history(first)).toEqual([
      ['status', null, 'waitlisted', others[1].userId],
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
    await change({ date_start: isoInDays(-3), date_end: isoInDays(-2) });
    await change({ capacity: 3 });
    expect(await states()).toEqual(['accepted', 'accepted', 'waitlisted', 'waitlisted']);
    await change({ date_end: isoInDays(2) });
    expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'waitlisted']);
    await change({ capacity: null });
    expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  });

  it('accepts nobody without a free place, and does not reinstate someone with another live subscription', async () => {
    const to = await event({ capacity: 1, registration: 'approval' });
    const { body: first } = await subscribe(others[0], to);
    const { body: second } = await subscribe(others[1], to);
    expect(await statusOf(move(team.manager, first, { status: 'accepted' }))).toBe('accepted');
    expectCode(await move(team.manager, second, { status: 'accepted' }), 409, 'EVENT_FULL');
    await move(others[1], second, { status: 'cancelled' });
    await subscribe(others[1], to);
    expectCode(await move(team.manager, second, { status: 'pending' }), 409, 'ALREADY_SUBSCRIBED');
  });

  it("is not found for somebody else's, for another event's and for a malformed id", async () => {
    const [to, another] = [await event(), await event()];
    const { body } = await subscribe(team.member, to);
    expectCode(await move(others[0], body, { status: 'cancelled' }), 404, 'NOT_FOUND');
    expectCode(await move(team.manager, { ...body, event_id: another.id }, { status: 'cancelled' }), 404, 'NOT_FOUND');
    expectCode(await move(team.manager, { ...body, id: 'nonsense' }, { status: 'cancelled' }), 404, 'NOT_FOUND');
    expectCode(await move(team.member, body, { notify: true }), 403, 'FORBIDDEN');
    expectCode(await move(team.member, body, { status: 'nonsense' }), 400, 'VALIDATION_ERROR');
  });
});

describe('check-in', () => {
  it('stores the time once, reports it at a second attempt, and can be undone', async () => {
    const { body } = await subscribe(team.member, await event());
    const checkIn = () => send<SubscriptionRow>(server, team.manager, `POST ${pathOf(body)}/check-in`);
    expectCode(await send(server, team.member, `POST ${pathOf(body)}/check-in`), 403, 'FORBIDDEN');
    const answers = await Promise.all(Array.from({ length: 20 }, checkIn));
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    const { checked_in_at: time } = await read(body);
    const refused = answers.find((each) => each.status === 409) as Answer<unknown>;
    expectCode(refused, 409, 'ALREADY_CHECKED_IN');
    expect(refused.text).toContain(time);
    expectCode(await move(team.member, body, { status: 'cancelled' }), 409, 'INVALID_TRANSITION');
    expectCode(await move(team.manager, body, { status: 'declined' }), 409, 'INVALID_TRANSITION');
    const undo = () => send<SubscriptionRow>(server, team.manager, `DELETE ${pathOf(body)}/check-in`);
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
    expectCode(await send(server, team.manager, `POST ${pathOf(body)}/check-in`), 409, 'INVALID_TRANSITION');
    expectCode(await send(server, team.manager, `POST ${pathOf(body)}/check-in`, { x: 1 }), 400, 'VALIDATION_ERROR');
    await move(team.manager, body, { status: 'accepted' });
    await send(server, team.manager, `PATCH /events/${to.id}`, { status: 2 });
    expectCode(await send(server, team.manager, `POST ${pathOf(body)}/check-in`), 409, 'INVALID_TRANSITION');
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

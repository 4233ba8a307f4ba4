import { describe, expect, it } from 'vitest';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { type Answer, expectCode, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { pathOf, statusOf, subscribing } from '../support/subscribing.ts';
import { createTeam, join } from '../support/team.ts';

const server = await shared(startTestServer({ env: { RATE_LIMIT: 'off' } }));
const team = await createTeam(server);
const newcomer = () => join(server, team.organizationId, 'member');
const others = [await newcomer(), await newcomer(), await newcomer(), await newcomer()] as const;
const { event, subscribe, move, read, history } = subscribing(server, team);

describe('PATCH /events/{event}/subscriptions/{subscription}', () => {
  it('changes nothing for the status that it has, also after the event', async () => {
    const to = await event();
    const { body } = await subscribe(team.member, to);
    await server.execute(
      `update event set date_start = now() - interval '2 days', date_end = now() - interval '1 day' where id = ?`,
      [to.id],
    );
    expect((await move(team.member, body, { status: 'accepted' })).body).toEqual(body);
    expect((await move(team.member, body, {})).body).toEqual(body);
    expectCode(await move(team.member, body, { status: 'cancelled' }), 409, 'INVALID_TRANSITION');
    expectCode(await move(team.member, body, { answers: {} }), 409, 'INVALID_TRANSITION');
    expect(await statusOf(move(team.manager, body, { status: 'cancelled' }))).toBe('cancelled');
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

  it('takes no fields', async () => {
    const { body } = await subscribe(team.member, await event());
    expectCode(await send(server, team.manager, `POST ${pathOf(body)}/check-in`, { x: 1 }), 400, 'VALIDATION_ERROR');
  });
});

import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertMember, insertSubscription, insertUser } from '../support/fixtures.ts';
import { runOut } from '../support/public-world.ts';
import { join, type Person, serveTeam } from '../support/server.ts';
import { created, facesOf, future, type WrittenEvent } from '../support/write-faces.ts';

// How somebody is subscribed (reference/subscriptions.md#subscribing), on both faces.

const { server, team } = await serveTeam();
const { organizationId, manager, member } = team;
const others = [
  await join(server, organizationId, 'member'),
  await join(server, organizationId, 'member'),
  await join(server, organizationId, 'member'),
] as [Person, Person, Person];

const past = { date_start: '2020-05-01T10:00:00.000Z', date_end: '2020-05-01T12:00:00.000Z' };
const set = (event: WrittenEvent, changes: string) =>
  server.execute(`update event set ${changes} where id = ?`, [event.id]);

describe.each(facesOf(server))('by $name', (face) => {
  const create = async (fields: Record<string, unknown> = {}) => await created(face, manager, fields);
  /** What became of it: the status, or the code of the refusal. */
  const become = async (by: Person, event: WrittenEvent, fields?: Record<string, unknown>) => {
    const { code, pointers, value } = await face.subscribe(by, event.id, fields);
    expect(pointers).toEqual([]);
    return code ?? value.status;
  };
  /** The people with a subscription and its status, in the order in which they have waited, or subscribed. */
  const standings = async (event: WrittenEvent) =>
    (
      await server.execute<{ user_id: string; status: string; waits: boolean }>(
        `select user_id, status, waiting_since is not null as waits from subscription
          where event_id = ? order by coalesce(waiting_since, created_at), id`,
        [event.id],
      )
    ).map(({ user_id, status, waits }) => [user_id, waits ? 'waits' : status]);
  const nobody = { user_id: member.userId };

  it.each([
    ['open', {}, 'accepted'],
    ['open and full', { capacity: 0 }, 'waitlisted'],
    ['open and full, without a list', { capacity: 0, waiting_list: false }, 'EVENT_FULL'],
    ['by approval', { registration: 'approval' }, 'pending'],
    ['by approval and full', { registration: 'approval', capacity: 0, waiting_list: false }, 'pending'],
    ['closed', { registration: 'closed' }, 'REGISTRATION_CLOSED'],
  ])('a member who subscribes to an event that is %s', async (_, fields, expected) => {
    const event = await create(fields);
    expect(await become(member, event)).toBe(expected);
    const waits = expected === 'waitlisted' ? 'waits' : expected;
    expect(await standings(event)).toEqual(expected === expected.toUpperCase() ? [] : [[member.userId, waits]]);
  });

  it('members who name themselves are treated like any who subscribe', async () => {
    const own = { user_id: member.userId };
    expect(await become(member, await create(), { ...own, answers: {}, form_version: 0 })).toBe('accepted');
    expect(await become(member, await create({ registration: 'closed' }), own)).toBe('REGISTRATION_CLOSED');
    expect(await become(member, await create({ registration: 'approval' }), own)).toBe('pending');
    expect(await become(member, await create({ capacity: 0, waiting_list: false }), own)).toBe('EVENT_FULL');
    const upper = { user_id: member.userId.toUpperCase() };
    expect(await become(member, await create({ registration: 'closed' }), upper)).toBe('REGISTRATION_CLOSED');
    const over = await create();
    await face.updateEvent(manager, over.id, past);
    expect(await become(member, over, own)).toBe('REGISTRATION_CLOSED');
  });

  it('managers pass a closed registration if they name somebody, also themselves, or a status', async () => {
    const closed = () => create({ registration: 'closed' });
    expect(await become(manager, await closed())).toBe('REGISTRATION_CLOSED');
    expect(await become(manager, await closed(), { user_id: manager.userId })).toBe('accepted');
    expect(await become(manager, await closed(), nobody)).toBe('accepted');
    expect(await become(team.owner, await closed(), nobody)).toBe('accepted');
    for (const status of ['pending', 'accepted']) {
      expect(await become(manager, await closed(), { status })).toBe(status);
      expect(await become(manager, await closed(), { ...nobody, status })).toBe(status);
    }
    // no status: as if it were open, and so the list of a full one
    const full = await create({ registration: 'closed', capacity: 0 });
    expect(await become(manager, full, nobody)).toBe('waitlisted');
    const noList = await create({ registration: 'closed', capacity: 0, waiting_list: false });
    expect(await become(manager, noList, nobody)).toBe('EVENT_FULL');
  });

  it('a status decides instead of the registration, and never passes the capacity', async () => {
    const approval = { registration: 'approval', capacity: 0, waiting_list: false };
    for (const status of ['pending', 'waitlisted']) {
      expect(await become(manager, await create(approval), { ...nobody, status })).toBe(status);
    }
    expect(await become(manager, await create(approval), { ...nobody, status: 'accepted' })).toBe('EVENT_FULL');
    expect(await become(manager, await create({ registration: 'approval' }), nobody)).toBe('pending');
    const asked = await create({ registration: 'approval' });
    expect(await become(manager, asked, { ...nobody, status: 'accepted' })).toBe('accepted');
    // beside a free place nobody waits
    expect(await become(manager, await create({ capacity: 1 }), { ...nobody, status: 'waitlisted' })).toBe('accepted');
  });

  it('only a member with a proven address can be named', async () => {
    const stranger = await insertMember(server.orm);
    const guest = await insertUser(server.orm);
    const unproven = await insertMember(server.orm, { organizationId, verified: false });
    const event = await create();
    for (const id of [stranger.id, guest.id, unproven.id, randomUUIDv7(), 'nonsense', '']) {
      const refused = await face.subscribe(manager, event.id, { user_id: id });
      const pointer = face.name === 'rest' ? '/user_id' : '/userId';
      expect([id, refused.code, refused.pointers]).toEqual([id, 'VALIDATION_ERROR', [pointer]]);
    }
    expect(await standings(event)).toEqual([]);
  });

  it.each([0, 2, 3])('nobody subscribes to an event with status %i, whoever says so', async (status) => {
    const event = await create();
    await set(event, `status = ${status}`);
    expect(await become(member, event)).toBe(status === 0 ? 'NOT_FOUND' : 'REGISTRATION_CLOSED');
    expect(await become(manager, event)).toBe('REGISTRATION_CLOSED');
    expect(await become(manager, event, { ...nobody, status: 'pending' })).toBe('REGISTRATION_CLOSED');
  });

  it('an event that has run out is over for members, and not for managers', async () => {
    const event = await create({ capacity: 2 });
    await runOut(server, event.id);
    expect(await become(member, event)).toBe('REGISTRATION_CLOSED');
    expect(await become(manager, event)).toBe('accepted');
    expect(await become(manager, event, nobody)).toBe('accepted');
    expect(await become(manager, event, { user_id: others[0].userId, status: 'accepted' })).toBe('EVENT_FULL');
  });

  it('of several refusals the first in the documented order is given', async () => {
    const full = { capacity: 0, waiting_list: false };
    const subscribed = await create();
    await become(member, subscribed);
    await set(subscribed, `registration = 'closed', capacity = 1, waiting_list = false`);
    expect(await become(member, subscribed)).toBe('ALREADY_SUBSCRIBED');
    await set(subscribed, 'status = 2');
    expect(await become(member, subscribed)).toBe('ALREADY_SUBSCRIBED');
    expect(await become(manager, subscribed, { ...nobody, status: 'accepted' })).toBe('ALREADY_SUBSCRIBED');

    const declined = await create({ ...full, registration: 'closed' });
    await insertSubscription(server.orm, { eventId: declined.id, userId: member.userId, status: 'declined' });
    expect(await become(member, declined)).toBe('SUBSCRIPTION_DECLINED');
    await set(declined, 'status = 3');
    expect(await become(member, declined)).toBe('SUBSCRIPTION_DECLINED');
    expect(await become(manager, declined, nobody)).toBe('REGISTRATION_CLOSED');

    expect(await become(member, await create({ ...full, registration: 'closed' }))).toBe('REGISTRATION_CLOSED');
  });

  it('the newest subscription decides whether somebody was declined', async () => {
    const event = await create();
    const old = { eventId: event.id, userId: member.userId };
    await insertSubscription(server.orm, { ...old, status: 'declined', createdAt: new Date('2026-01-01') });
    await insertSubscription(server.orm, { ...old, status: 'cancelled', createdAt: new Date('2026-01-02') });
    expect(await become(member, event)).toBe('accepted');
    const again = await create();
    const newer = { eventId: again.id, userId: member.userId };
    await insertSubscription(server.orm, { ...newer, status: 'cancelled', createdAt: new Date('2026-01-01') });
    await insertSubscription(server.orm, { ...newer, status: 'declined', createdAt: new Date('2026-01-02') });
    expect(await become(member, again)).toBe('SUBSCRIPTION_DECLINED');
    expect(await become(manager, again, nobody)).toBe('accepted');
  });

  it('managers whom somebody declined may subscribe themselves', async () => {
    const event = await create();
    await insertSubscription(server.orm, { eventId: event.id, userId: manager.userId, status: 'declined' });
    expect(await become(manager, event)).toBe('accepted');
  });

  it('50 parallel requests of one user make one', async () => {
    const event = await create({ capacity: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => become(member, event)));
    expect(answers.sort()).toEqual([...Array<string>(49).fill('ALREADY_SUBSCRIBED'), 'accepted']);
    expect(await standings(event)).toEqual([[member.userId, 'accepted']]);
  });

  it('nobody overtakes, and the list moves whatever the registration and the list say', async () => {
    const [first, second, third] = others;
    const event = await create({ capacity: 1 });
    const place = await face.subscribe(member, event.id);
    for (const person of [first, second]) expect(await become(person, event)).toBe('waitlisted');
    // a free place beside somebody who waits, as an import may leave it
    await set(event, 'capacity = 2');
    expect(await become(third, event)).toBe('waitlisted');
    const waits = (person: Person) => [person.userId, 'waits'];
    const accepted = (person: Person) => [person.userId, 'accepted'];
    expect(await standings(event)).toEqual([accepted(member), accepted(first), waits(second), waits(third)]);
    await set(event, `registration = 'closed', waiting_list = false`);
    await face.move(member, event.id, place.value.id, { status: 'cancelled' });
    expect((await standings(event)).slice(1)).toEqual([accepted(first), accepted(second), waits(third)]);
  });

  it('who comes back to the list stands at its end', async () => {
    const event = await create({ capacity: 1 });
    await become(member, event);
    const [first, second] = others;
    const { value } = await face.subscribe(first, event.id);
    await become(second, event);
    await face.move(manager, event.id, value.id, { status: 'pending' });
    await face.move(manager, event.id, value.id, { status: 'waitlisted' });
    expect((await standings(event)).slice(1)).toEqual([
      [second.userId, 'waits'],
      [first.userId, 'waits'],
    ]);
    // and the status that it has does not move it
    await face.move(manager, event.id, value.id, { status: 'waitlisted' });
    await become(others[2], event);
    expect((await standings(event)).map(([id]) => id)).toEqual([
      member.userId,
      second.userId,
      first.userId,
      others[2].userId,
    ]);
  });

  it('the list moves when places are added or the event is active, or running, again', async () => {
    const event = await create({ capacity: 0 });
    for (const person of [member, ...others]) await become(person, event);
    const count = async () => (await standings(event)).filter(([, status]) => status === 'accepted').length;
    const change = async (fields: Record<string, unknown>) => {
      expect((await face.updateEvent(manager, event.id, fields)).code).toBeNull();
      return await count();
    };
    expect(await change({ capacity: 1 })).toBe(1);
    expect(await change({ status: 2 })).toBe(1);
    expect(await change({ capacity: 2 })).toBe(1);
    expect(await change({ status: 1 })).toBe(2);
    expect(await change(past)).toBe(2);
    expect(await change({ capacity: 3 })).toBe(2);
    expect(await change({ date_end: future.date_end })).toBe(3);
    expect(await change({ status: 3 })).toBe(3);
    expect(await change({ capacity: null })).toBe(3);
    const { value } = await face.updateEvent(manager, event.id, { status: 1 });
    expect(value.accepted_count).toBe(4);
    expect(await count()).toBe(4);
  });
});

import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventStatuses } from '../../src/domain/event/event.entity.ts';
import { eventTransitions } from '../../src/domain/event/event.state.ts';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { holderTransitions, managerTransitions } from '../../src/domain/subscription/subscription.state.ts';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { countMails, mailsTo, settleMails } from '../support/guests.ts';
import { globalId } from '../support/send.ts';
import { createTeam, join, type Person, serveTeam } from '../support/server.ts';
import { insertSubscribers } from '../support/subscribing.ts';
import { created, facesOf } from '../support/write-faces.ts';

// The tables of reference/events.md#status and reference/subscriptions.md#changing: how an event and a subscription
// change their status, on both faces.

const { server, team } = await serveTeam();
const { organizationId, manager, member } = team;

const newcomer = () => join(server, organizationId, 'member');

describe.each(facesOf(server))('by $name', (face) => {
  const create = async (fields: Record<string, unknown> = {}) => await created(face, manager, fields);
  const statusOf = async (id: string) =>
    (await server.execute<{ status: string }>('select status from subscription where id = ?', [id]))[0]?.status;
  const refusedMove = (outcome: { code: string | null; pointers: string[] }) => [outcome.code, outcome.pointers];

  const eventStates = Object.values(eventStatuses);
  const eventMoves = eventStates.flatMap((from) =>
    eventStates.filter((to) => to !== from).map((to) => [from, to] as const),
  );
  it.each(eventMoves)(
    'an event goes from %i to %i as the table says, with and without a subscription',
    async (from, to) => {
      const condition = eventTransitions[from][to];
      for (const subscribed of [false, true]) {
        const event = await insertEvent(server.orm, { organizationId, status: from });
        // a cancelled one counts, too
        if (subscribed) await insertSubscribers(server.orm, event.id, 1, 'cancelled');
        const moved = await face.updateEvent(manager, event.id, { status: to });
        if (condition === 'always' || (condition && !subscribed)) {
          expect(moved).toMatchObject({ code: null, value: { status: to, version: 2 } });
        } else {
          expect(refusedMove(moved)).toEqual(['INVALID_TRANSITION', ['/status']]);
          expect(await server.execute('select status, version from event where id = ?', [event.id])).toEqual([
            { status: from, version: 1 },
          ]);
        }
      }
    },
  );

  it('only a draft without subscriptions, whatever their state, can be deleted', async () => {
    for (const status of eventStates) {
      const event = await insertEvent(server.orm, { organizationId, status });
      const deleted = await face.deleteEvent(manager, event.id);
      expect([status, deleted.code]).toEqual([status, status === eventStatuses.DRAFT ? null : 'CONFLICT']);
    }
    for (const status of subscriptionStatuses) {
      const draft = await insertEvent(server.orm, { organizationId, status: 0 });
      await insertSubscribers(server.orm, draft.id, 1, status);
      expect([status, (await face.deleteEvent(manager, draft.id)).code]).toEqual([status, 'CONFLICT']);
      expect(await server.execute('select from event where id = ?', [draft.id])).toHaveLength(1);
    }
  });

  const moves = subscriptionStatuses.flatMap((from) => subscriptionStatuses.map((to) => [from, to] as const));
  it.each(moves)('a subscription goes from %s to %s as the tables say', async (from, to) => {
    // full beside the subscription itself, so that nobody is taken from the list
    const capacity = to === 'accepted' || from === 'accepted' ? 1 : 0;
    for (const [person, table] of [
      [manager, managerTransitions],
      [member, holderTransitions],
    ] as const) {
      const event = await create({ capacity });
      const { id } = await insertSubscription(server.orm, { eventId: event.id, userId: member.userId, status: from });
      await server.execute('update subscription set waiting_since = created_at where id = ? and status = ?', [
        id,
        'waitlisted',
      ]);
      const moved = await face.move(person, event.id, id, { status: to });
      const allowed = from === to || table[from].includes(to);
      if (!allowed) expect(refusedMove(moved)).toEqual(['INVALID_TRANSITION', ['/status']]);
      // whoever leaves a place for the list of an otherwise empty event gets it back
      const becomes = allowed ? (from === 'accepted' && to === 'waitlisted' ? 'accepted' : to) : from;
      if (allowed) expect(moved).toMatchObject({ code: null, value: { status: becomes } });
      expect(await statusOf(id)).toBe(becomes);
      const entries = await server.execute('select from subscription_change where subscription_id = ?', [id]);
      expect(entries).toHaveLength(allowed && from !== to ? (becomes === to ? 1 : 2) : 0);
      await server.execute('delete from subscription where id = ?', [id]);
    }
  });

  it('what is checked in keeps its status, and the status that it has changes nothing', async () => {
    const event = await create();
    const { value } = await face.subscribe(member, event.id);
    await face.checkIn(manager, event.id, value.id);
    for (const person of [manager, member]) {
      for (const status of ['pending', 'waitlisted', 'declined', 'cancelled']) {
        const moved = await face.move(person, event.id, value.id, { status });
        expect(refusedMove(moved)).toEqual(['INVALID_TRANSITION', ['/status']]);
      }
      const same = await face.move(person, event.id, value.id, { status: 'accepted' });
      expect(same).toMatchObject({ code: null, value: { status: 'accepted', checked_in_at: expect.any(String) } });
    }
    expect((await face.undoCheckIn(manager, event.id, value.id)).value.checked_in_at).toBeNull();
    // there is nothing left to undo
    expect(await face.undoCheckIn(manager, event.id, value.id)).toMatchObject({ code: null, value: { id: value.id } });
    expect((await face.move(member, event.id, value.id, { status: 'cancelled' })).code).toBeNull();
  });

  it('only accepted subscriptions to active events are checked in, also after the event', async () => {
    for (const status of subscriptionStatuses) {
      const event = await create();
      const { id } = await insertSubscription(server.orm, { eventId: event.id, userId: member.userId, status });
      const expected = status === 'accepted' ? null : 'INVALID_TRANSITION';
      expect([status, (await face.checkIn(manager, event.id, id)).code]).toEqual([status, expected]);
    }
    for (const status of eventStates) {
      const event = await insertEvent(server.orm, { organizationId, status, dateStart: new Date('2020-01-01') });
      const { id } = await insertSubscription(server.orm, { eventId: event.id, userId: member.userId });
      const expected = status === eventStatuses.ACTIVE ? null : 'INVALID_TRANSITION';
      expect([status, (await face.checkIn(manager, event.id, id)).code]).toEqual([status, expected]);
    }
  });

  it('after the event the holder changes nothing, and a manager everything', async () => {
    const event = await insertEvent(server.orm, { organizationId, dateStart: new Date('2020-01-01') });
    const { id } = await insertSubscription(server.orm, { eventId: event.id, userId: member.userId });
    const refused = await face.move(member, event.id, id, { status: 'cancelled' });
    expect(refusedMove(refused)).toEqual(['INVALID_TRANSITION', ['/status']]);
    expect((await face.move(member, event.id, id, { status: 'accepted' })).code).toBeNull();
    for (const status of ['declined', 'pending', 'waitlisted', 'cancelled', 'accepted']) {
      expect(await face.move(manager, event.id, id, { status })).toMatchObject({ code: null, value: { status } });
    }
  });

  it('nobody gets a place back after leaving, unless a guest link made the subscription', async () => {
    const event = await create();
    const holder = await newcomer();
    const { id } = await insertSubscription(server.orm, { eventId: event.id, userId: holder.userId });
    await server.execute('delete from membership where id = ?', [holder.membershipId]);
    await server.execute(`update subscription set status = 'cancelled' where id = ?`, [id]);
    for (const status of ['pending', 'accepted', 'waitlisted']) {
      const refused = await face.move(manager, event.id, id, { status });
      expect(refusedMove(refused)).toEqual(['INVALID_TRANSITION', ['/status']]);
    }
    const { value } = await face.transition(manager, event.id, [id], 'accepted');
    expect(value.errors).toMatchObject([{ pointer: '/ids/0', code: 'INVALID_TRANSITION' }]);
    expect(await statusOf(id)).toBe('cancelled');
    await server.execute('update subscription set mailbox_proven = true where id = ?', [id]);
    expect((await face.move(manager, event.id, id, { status: 'accepted' })).value.status).toBe('accepted');
    // live ones can still be moved
    await server.execute('update subscription set mailbox_proven = false where id = ?', [id]);
    expect((await face.move(manager, event.id, id, { status: 'pending' })).value.status).toBe('pending');
  });

  it('a hundred move at once, in their order', async () => {
    const event = await create({ registration: 'approval', capacity: 60 });
    const hundred = (await insertSubscribers(server.orm, event.id, 100, 'pending')).reverse();
    const { code, value } = await face.transition(manager, event.id, hundred, 'accepted', { notify: false });
    expect(code).toBeNull();
    expect(value.items.map(({ id, status }) => [id, status])).toEqual(
      hundred.slice(0, 60).map((id) => [id, 'accepted']),
    );
    expect(value.errors.map((error) => [error.pointer, error.code])).toEqual(
      hundred.slice(60).map((_, index) => [`/ids/${60 + index}`, 'EVENT_FULL']),
    );
    const [row] = await server.execute('select accepted_count from event where id = ?', [event.id]);
    expect(row).toEqual({ accepted_count: 60 });
  });

  it('one that is named twice is a fault, in whatever form, and moves nobody', async () => {
    const event = await create();
    const [first, second] = (await insertSubscribers(server.orm, event.id, 2, 'pending')) as [string, string];
    const forms =
      face.name === 'rest' ? [first.toUpperCase()] : [first.toUpperCase(), globalId('EventSubscription', first)];
    for (const again of [first, ...forms]) {
      const refused = await face.transition(manager, event.id, [first, second, again, first], 'declined');
      expect(refusedMove(refused)).toEqual(['VALIDATION_ERROR', ['/ids/2', '/ids/3']]);
    }
    expect(await statusOf(second)).toBe('pending');
    expect((await face.transition(manager, event.id, ['nonsense', 'nonsense'], 'declined')).pointers).toEqual([
      '/ids/1',
    ]);
  });

  it('each of many moves on its own: those that cannot are left out, with the reason', async () => {
    const event = await create({ capacity: 2 });
    const people = await Promise.all([newcomer(), newcomer(), newcomer(), newcomer()]);
    const [gone, present, waits, returned] = people as [Person, Person, Person, Person];
    const idOf = async (person: Person) => (await face.subscribe(person, event.id)).value.id;
    const [leaves, checkedIn, waiting] = [await idOf(gone), await idOf(present), await idOf(waits)];
    await face.checkIn(manager, event.id, checkedIn);
    const old = await idOf(returned);
    await face.move(returned, event.id, old, { status: 'cancelled' });
    const live = await idOf(returned);
    const { organizationId: other } = await createTeam(server);
    const elsewhere = await insertSubscribers(
      server.orm,
      (await insertEvent(server.orm, { organizationId: other })).id,
      1,
    );
    const ids = [old, checkedIn, 'nonsense', leaves, randomUUIDv7(), ...elsewhere, live];
    const { code, value } = await face.transition(manager, event.id, ids, 'pending');
    expect(code).toBeNull();
    expect(value.items.map(({ id, status }) => [id, status])).toEqual([
      [leaves, 'pending'],
      [live, 'pending'],
    ]);
    expect(value.errors.map((error) => [error.pointer, error.code])).toEqual([
      ['/ids/0', 'ALREADY_SUBSCRIBED'],
      ['/ids/1', 'INVALID_TRANSITION'],
      ['/ids/2', 'NOT_FOUND'],
      ['/ids/4', 'NOT_FOUND'],
      ['/ids/5', 'NOT_FOUND'],
    ]);
    // the place that became free is taken from the list
    expect(await statusOf(waiting)).toBe('accepted');
  });

  it('many are told of their move, unless the manager says otherwise', async () => {
    const [holder, waiting, ...people] = await Promise.all([newcomer(), newcomer(), newcomer(), newcomer()]);
    const event = await create({ capacity: 1 });
    const silently = async ({ userId }: Person, status: string) =>
      (await face.subscribe(manager, event.id, { user_id: userId, status, notify: false })).value.id;
    const ids: string[] = [];
    for (const person of people) ids.push(await silently(person, 'pending'));
    const place = await silently(holder, 'accepted');
    const next = await silently(waiting, 'waitlisted');
    // silent for those who move, and for who moves up
    await face.transition(manager, event.id, [...ids, place], 'declined', { notify: false });
    await settleMails(server);
    for (const { email } of [...people, holder, waiting]) expect(await countMails(server, email)).toBe(0);
    expect(await statusOf(next)).toBe('accepted');
    await face.transition(manager, event.id, ids, 'pending');
    for (const { email } of people) {
      expect((await mailsTo(server, email)).map(({ subject }) => subject)[0]).toContain('Waiting for approval');
    }
    await settleMails(server);
    expect(await countMails(server, waiting.email)).toBe(0);
  });
});

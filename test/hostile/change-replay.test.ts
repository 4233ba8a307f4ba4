import { expect, it } from 'vitest';
import { Copy } from '../support/change-copy.ts';
import { changesPage, numbers } from '../support/changes.ts';
import { graphql, send } from '../support/send.ts';
import { createTeam, join, type Person, serve } from '../support/server.ts';
import { isoInDays } from '../support/subscribing.ts';
import { facesOf, mutate, type WriteFace } from '../support/write-faces.ts';

// Clients keep copies by the log of changes while managers and members write by both faces of two processes, and roles change.

const first = await serve();
const second = await serve({ databaseUrl: first.databaseUrl, secrets: first.secrets });
const servers = [first, second];

const questions = (label: string) => [{ key: 'a', type: 'text', label }];
const dates = { date_start: isoInDays(10), date_end: isoInDays(11) };

/** What is written to. */
interface World {
  managers: Person[];
  members: Person[];
  /** Ids of events, and of subscriptions with their events. */
  events: string[];
  subscriptions: { event: string; id: string }[];
}

type Random = (below: number) => number;
type Write = () => Promise<unknown>;
const oneOf = <Value>(values: readonly Value[], random: Random) => values[random(values.length)] as Value;

/** One write, which may well be refused. */
async function write(world: World, face: WriteFace, server: { url: string }, random: Random): Promise<void> {
  const { managers, members, events, subscriptions } = world;
  const manager = oneOf(managers, random);
  const member = oneOf(members, random);
  const event = events.length > 0 ? oneOf(events, random) : '';
  const subscription = subscriptions.length > 0 ? oneOf(subscriptions, random) : { event, id: '' };
  const status = oneOf(['pending', 'accepted', 'waitlisted', 'declined', 'cancelled'], random);
  const keep = (value: { id: string } | null) => value && events.push(value.id);
  const subscribed = (value: { id: string } | null) => value && subscriptions.push({ event, id: value.id });
  const makes: Write[] = [
    async () =>
      keep((await face.createEvent(manager, { name: 'Open Day', status: 1, capacity: random(3), ...dates })).value),
    async () => keep((await face.createEvent(manager, { name: 'Open Day', ...dates })).value),
    async () => keep((await face.duplicateEvent(manager, event, { status: random(2) })).value),
  ];
  const writes: Write[] = [
    ...(events.length < 8 ? makes : []),
    () => face.updateEvent(manager, event, { status: random(4) }),
    () => face.updateEvent(manager, event, { status: 1, capacity: random(4), notify: false }),
    () => face.updateEvent(manager, event, { status: 1, capacity: null }),
    () => face.updateEvent(manager, event, { name: `Open Day ${random(3)}` }, { key: `name-${random(1_000_000)}` }),
    () => face.deleteEvent(manager, event),
    () => send(server, manager, `PUT /events/${event}/form`, { questions: questions(`A ${random(3)}`) }),
    () => mutate(server, manager, 'setEventForm', 'form { version }', { eventId: event, questions: [] }),
    async () => subscribed((await face.subscribe(member, event)).value),
    async () => subscribed((await face.subscribe(member, event, { answers: { a: 'x' } })).value),
    async () => subscribed((await face.subscribe(manager, event, { user_id: member.userId, status })).value),
    () => face.move(manager, subscription.event, subscription.id, { status }),
    () => face.move(manager, subscription.event, subscription.id, { answers: { a: `${random(3)}` } }),
    () => face.move(manager, subscription.event, subscription.id, { answers: {} }),
    () => face.move(member, subscription.event, subscription.id, { status: 'cancelled' }),
    () => face.checkIn(manager, subscription.event, subscription.id),
    () => face.undoCheckIn(manager, subscription.event, subscription.id),
    () => {
      const ids = subscriptions.filter((each) => each.event === event).map(({ id }) => id);
      return face.transition(manager, event, ids.slice(-3), status);
    },
    () => several(server, manager, event, random),
  ];
  await oneOf(writes, random)();
}

/** Several mutations of one document: under a key in one transaction, which may be rolled back as a whole. */
async function several(server: { url: string }, manager: Person, event: string, random: Random): Promise<void> {
  const update = (fields: string) => `updateEvent(input: {id: "${event}", ${fields}}) { event { version } }`;
  const document = `mutation {
    a: ${update('status: DRAFT')} b: ${update('status: ACTIVE, capacity: 1')} c: ${update('capacity: null')}
    d: createEvent(input: {name: "Both", status: ACTIVE, dateStart: "${dates.date_start}", dateEnd: "${dates.date_end}"}) {
      event { id } }
  }`;
  const key = random(2) === 0 ? { 'idempotency-key': `several-${random(1_000_000)}` } : {};
  await graphql(server, manager, document, {}, key as Record<string, string>);
}

it.each([1, 2])('the log of changes, applied, gives managers and members the lists as they are (%i)', async (seed) => {
  const random = numbers(seed * 7919);
  const team = await createTeam(first);
  const more = (role: 'manager' | 'member') => join(first, team.organizationId, role);
  const [promoted, leaves] = [await more('member'), await more('member')];
  const world: World = {
    managers: [team.manager, team.owner],
    members: [team.member, promoted, leaves],
    events: [],
    subscriptions: [],
  };
  const copies = [team.manager, team.member, promoted].map((person) => new Copy(person, servers, random));
  const role = () => send(first, team.owner, `PATCH /members/${promoted.membershipId}`, { role: oneOf(roles, random) });
  for (let round = 0; round < rounds; round += 1) {
    let writing = true;
    const writers = Array.from({ length: 8 }, async () => {
      const server = oneOf(servers, random);
      await write(world, oneOf(facesOf(server), random), server, random);
    });
    if (random(6) === 0) writers.push(role().then(() => undefined));
    if (round === rounds - 5) writers.push(leave(leaves));
    const readers = copies.map(async (copy) => {
      while (writing) {
        if (random(4) === 0) await copy.follow(random(200));
        else await copy.step();
      }
    });
    await Promise.all(writers);
    writing = false;
    await Promise.all(readers);
    for (const copy of copies) await expectSame(copy);
  }
  for (const person of [team.manager, team.member, promoted]) await expectSame(new Copy(person, servers, random));
  expect((await changesPage(first, team.manager, 'limit=1')).body.has_more).toBe(true);
});

const rounds = 20;
const roles = ['member', 'manager'] as const;

async function leave(person: Person): Promise<void> {
  const path = `/members/${person.membershipId}?erase_answers=true`;
  expect((await send(second, person, `DELETE ${path}`)).status).toBe(200);
}

/** Reads on to the end of the log; then the copy must be what the lists say. */
async function expectSame(copy: Copy): Promise<void> {
  await copy.rest();
  expect(copy.rows).toEqual((await copy.expected()).rows);
}

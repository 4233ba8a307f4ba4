import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { insertSubscription } from '../support/fixtures.ts';
import { eventsPage, names, namesOf, readEvents, startEvents } from '../support/graphql-events.ts';
import { type Caller, expectRefusal, globalId, graphql, query } from '../support/send.ts';
import { createTeam } from '../support/server.ts';
import { mutate } from '../support/write-faces.ts';

const { server, world, ids } = await startEvents();

const events = (variables: Record<string, unknown> = {}, caller = world.manager) =>
  readEvents(server, caller, variables);

describe('events', () => {
  test('orders by the order asked for, from either end', async () => {
    expect(namesOf(await events({ orderBy: { direction: 'DESC' } }))).toEqual([...names].reverse());
    expect(namesOf(await events({ orderBy: { field: 'CREATED_AT' } }))).toEqual(names);
    expect(namesOf(await events({ orderBy: { field: null, direction: null } }))).toEqual(names);
    expect(namesOf(await events({ orderBy: null }))).toEqual(names);
  });

  test.each([
    [{ first: 3 }, 0, 3],
    [{ last: 3 }, 4, 7],
    [{ first: 0 }, 0, 0],
    [{ first: null, last: null, after: null, before: null }, 0, 7],
    [{ first: 2, last: null, after: '', before: '' }, 0, 2],
  ])('%j shows the items %i to %i, its flags exact', async (variables, from, to) => {
    const answer = await events(variables);
    expect(namesOf(answer)).toEqual(names.slice(from, to));
    expect(answer.pageInfo).toMatchObject({ hasPreviousPage: from > 0, hasNextPage: to < names.length });
    expect(answer.edges.map(({ node }) => node)).toEqual(answer.nodes);
    const cursors = { startCursor: answer.edges[0]?.cursor ?? null, endCursor: answer.edges.at(-1)?.cursor ?? null };
    expect(answer).toMatchObject({ totalCount: 7, pageInfo: cursors });
  });

  test('knows what lies around an empty page', async () => {
    const all = await events();
    const none = await events({ after: all.pageInfo.endCursor });
    expect(none.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null });
  });

  test.each([
    [{ first: -1 }, '/first'],
    [{ last: -1 }, '/last'],
    [{ first: 1, last: 1 }, '/last'],
  ])('refuses %j', async (variables, pointer) => {
    const error = expectRefusal(await graphql(server, world.manager, eventsPage, variables), 200, 'INVALID_QUERY');
    expect(error.extensions.errors?.map((each) => each.pointer)).toContain(pointer);
    expect(error.path).toEqual(['events']);
  });
});

describe('Event', () => {
  test('phase follows the dates of an active event, and is null for any other', async () => {
    const phases = [null, 'CONCLUDED', 'IN_PROGRESS', 'UPCOMING', null, null, null];
    expect(await query(server, world.manager, '{ events { nodes { phase } } }')).toEqual({
      events: { nodes: phases.map((phase) => ({ phase })) },
    });
  });

  test('event(id) takes either id, and is null for unknown, foreign, hidden and malformed ids', async () => {
    const document = 'query ($id: ID!) { event(id: $id) { databaseId } }';
    const find = async (id: string | number, caller = world.member) =>
      (await query<{ event: { databaseId: string } | null }>(server, caller, document, { id })).event?.databaseId ??
      null;
    const past = ids.Past as string;
    expect(await find(past)).toBe(past);
    expect(await find(past.toUpperCase())).toBe(past);
    expect(await find(globalId('Event', past))).toBe(past);
    expect(await find(ids.Draft as string)).toBeNull();
    expect(await find(ids.Draft as string, world.manager)).toBe(ids.Draft);
    expect(await find(past, world.stranger)).toBeNull();
    for (const id of [randomUUIDv7(), globalId('User', past), '', 'x', 'a'.repeat(10_000), 1]) {
      expect(await find(id)).toBeNull();
    }
  });

  test("viewerSubscription is the viewer's newest one, or null", async () => {
    const eventId = ids.Future as string;
    const { userId } = world.member;
    await insertSubscription(server.orm, { eventId, userId, status: 'cancelled', createdAt: new Date('2026-01-01') });
    const newest = await insertSubscription(server.orm, { eventId, userId, status: 'waitlisted' });
    const document = '{ events { nodes { name viewerSubscription { databaseId status user { name } } } } }';
    type Answer = { events: { nodes: { name: string; viewerSubscription: unknown }[] } };
    const { events: own } = await query<Answer>(server, world.member, document);
    for (const { name, viewerSubscription } of own.nodes) {
      const expected = { databaseId: newest.id, status: 'WAITLISTED', user: { name: 'A member' } };
      expect(viewerSubscription).toEqual(name === 'Future' ? expected : null);
    }
    const { events: managers } = await query<Answer>(server, world.manager, document);
    expect(managers.nodes.map((each) => each.viewerSubscription)).toEqual(names.map(() => null));
  });
});

describe('where', () => {
  test.each([
    [{ phase: { eq: 'CONCLUDED' } }, ['Past']],
    [{ phase: { eq: 'IN_PROGRESS' } }, ['Running']],
    [{ not: { phase: { eq: 'UPCOMING' } } }, names.filter((name) => name !== 'Future')],
  ])('where %j', async (where, expected) => {
    const answer = await events({ where });
    expect([namesOf(answer), answer.totalCount]).toEqual([expected, expected.length]);
  });

  test('a filter takes either id, but only of the right type', async () => {
    const id = ids.Past as string;
    const past = { nodes: [{ name: 'Past' }] };
    for (const eq of [id, id.toUpperCase(), globalId('Event', id)]) {
      expect(await events({ where: { id: { eq } } })).toMatchObject(past);
      expect(await events({ where: { id: { in: [eq, randomUUIDv7()] } } })).toMatchObject(past);
    }
    for (const eq of [globalId('User', id), 'x', '', globalId('Event', 'x')]) {
      const answer = await graphql(server, world.manager, eventsPage, { where: { id: { eq } } });
      expect(expectRefusal(answer, 200, 'INVALID_QUERY').extensions.errors?.[0]?.pointer).toBe('/where/id/eq');
    }
  });

  test.each([
    [{ dateStart: { gt: '2026-02-30T00:00:00Z' } }],
    [{ dateStart: { gt: '2026-01-01' } }],
    [{ dateStart: { gt: 1 } }],
    [{ status: { eq: 'active' } }],
    [{ id: { in: [null] } }],
  ])('where %j is refused by the schema', async (where) => {
    const answer = await graphql(server, world.manager, eventsPage, { where });
    expectRefusal(answer, 200, 'GRAPHQL_VALIDATION_FAILED');
    const accept = { accept: 'application/graphql-response+json' };
    const strict = await graphql(server, world.manager, eventsPage, { where }, accept);
    expectRefusal(strict, 400, 'GRAPHQL_VALIDATION_FAILED');
  });
});

// What only GraphQL has: global ids, null for what is left out, and `clientMutationId`.

const team = await createTeam(server);
const dates = { dateStart: '2127-05-01T10:00:00.000Z', dateEnd: '2127-05-01T12:00:00.000Z' };

/** What a mutation that must not fail answers. */
async function run(caller: Caller, field: string, selection: string, input: Record<string, unknown>) {
  const { data, text } = await mutate(server, caller, field, selection, input);
  if (!data?.[field]) throw new Error(text);
  return data[field] as unknown as Record<'event', { id: string; databaseId: string }> & Record<string, unknown>;
}

test('updateEvent leaves what is null and may not be, and clears the rest', async () => {
  const input = { name: 'Open Day', ...dates, location: 'Hall', capacity: 4, clientMutationId: 'mine' };
  const { event, ...others } = await run(team.manager, 'createEvent', 'clientMutationId event { id }', input);
  expect(others).toEqual({ clientMutationId: 'mine' });
  const selection = 'event { name location capacity version }';
  const cleared = await run(team.manager, 'updateEvent', selection, { id: event.id, name: null, location: null });
  expect(cleared.event).toEqual({ name: 'Open Day', location: null, capacity: 4, version: 2 });
});

test('deleteEvent answers the global id of what was', async () => {
  const input = { name: 'Gone', ...dates };
  const { event } = await run(team.manager, 'createEvent', 'event { id databaseId }', input);
  const deleted = await run(team.manager, 'deleteEvent', 'deletedEventId', { id: event.databaseId });
  expect(deleted).toEqual({ deletedEventId: event.id });
  const { data } = await graphql(server, team.manager, `{ node(id: "${event.id}") { id } }`);
  expect(data).toEqual({ node: null });
});

test('subscribeToEvent takes the global id of a user', async () => {
  const created = { name: 'Us', ...dates, status: 'ACTIVE' };
  const { event } = await run(team.manager, 'createEvent', 'event { id }', created);
  const { userId } = team.member;
  const input = { eventId: event.id, userId: globalId('User', userId), status: 'PENDING' };
  const made = await run(team.manager, 'subscribeToEvent', 'eventSubscription { userDatabaseId status }', input);
  expect(made).toEqual({ eventSubscription: { userDatabaseId: userId, status: 'PENDING' } });
});

test('payloads have edges with the cursors of the lists that they belong to', async () => {
  const { manager, member } = await createTeam(server);
  const edgeOf = (name: string) => `event { id } edge: ${name} { cursor node { id } }`;
  const made = await run(manager, 'createEvent', edgeOf('eventEdge'), { name: 'Edge', ...dates, status: 'ACTIVE' });
  const { id } = made.event;
  const copied = await run(manager, 'duplicateEvent', edgeOf('eventEdge'), { id });
  const all = '{ events { edges { cursor node { id } } } }';
  expect(await query(server, manager, all)).toEqual({ events: { edges: [made.edge, copied.edge] } });

  const subscribed = await run(member, 'subscribeToEvent', edgeOf('eventSubscriptionEdge'), { eventId: id });
  expect(subscribed.event).toEqual({ id });
  const ofEvent = 'query ($id: ID!) { event(id: $id) { subscriptions { edges { cursor node { id } } } } }';
  const { edge: own } = subscribed;
  expect(await query(server, manager, ofEvent, { id })).toEqual({ event: { subscriptions: { edges: [own] } } });
});

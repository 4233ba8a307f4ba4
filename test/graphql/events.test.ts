import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { insertEvent, insertMember, insertSubscription } from '../support/fixtures.ts';
import { expectRefusal, globalId, graphql, query } from '../support/send.ts';
import { createTeam, join, serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();
const { organizationId, manager, member } = team;
const { manager: stranger } = await createTeam(server);

const at = (days: number) => new Date(Date.now() + days * 86_400_000);
/** An event in every state, in the order of their dates. */
const states = {
  Draft: { status: 0, dateStart: at(-9), dateEnd: at(-8) },
  Past: { status: 1, dateStart: at(-5), dateEnd: at(-4), capacity: 10, visibility: 'public' as const },
  Running: { status: 1, dateStart: at(-1), dateEnd: at(1) },
  Future: { status: 1, dateStart: at(3), dateEnd: at(4), registration: 'approval' as const },
  'Cancelled 100%': { status: 2, dateStart: at(5), dateEnd: at(6) },
  'Tie a': { status: 3, dateStart: at(7), dateEnd: at(8) },
  'Tie b': { status: 3, dateStart: at(7), dateEnd: at(8) },
};
const names = Object.keys(states);
/** By the names of the events. */
const ids: Record<string, string> = {};
for (const [name, input] of Object.entries(states)) {
  ids[name] = (await insertEvent(server.orm, { organizationId, name, ...input })).id;
}
await insertEvent(server.orm, { organizationId: stranger.organizationId, name: 'Foreign' });
for (const name of ['Past', 'Past', 'Past', 'Running', 'Running', 'Future']) {
  const { id: userId } = await insertMember(server.orm, { organizationId, password: null });
  await insertSubscription(server.orm, { eventId: ids[name] as string, userId });
}

interface Connection {
  edges: { cursor: string; node: { name: string } }[];
  nodes: { name: string }[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

/** One page of events and all that its connection tells. */
const eventsPage = `query ($first: Int, $last: Int, $after: String, $before: String, $where: EventWhere, $orderBy: EventOrder) {
  events(first: $first, last: $last, after: $after, before: $before, where: $where, orderBy: $orderBy) {
    edges { cursor node { name } } nodes { name } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
const events = async (variables: Record<string, unknown> = {}) =>
  (await query<{ events: Connection }>(server, manager, eventsPage, variables)).events;
const namesOf = ({ nodes }: Connection) => nodes.map(({ name }) => name);

describe('count', () => {
  test('takes a separate cap under each alias, beside the total', async () => {
    const several = `{ events(first: 1) { totalCount few: count(max: 2) { value exact } all: count { value exact }
      most: count(max: 1000000) { value exact } none: count(max: null) { value exact } nodes { name } } }`;
    const all = { value: 7, exact: true };
    const few = { value: 2, exact: false };
    expect(await query(server, manager, several)).toEqual({
      events: { totalCount: 7, few, all, most: all, none: all, nodes: [{ name: 'Draft' }] },
    });
  });

  test('caps the subscriptions of each event by itself', async () => {
    const nested = '{ events { nodes { name subscriptions { count(max: 2) { value exact } } } } }';
    type Answer = { events: { nodes: { name: string; subscriptions: { count: unknown } }[] } };
    const { events } = await query<Answer>(server, manager, nested);
    const counted = Object.fromEntries(events.nodes.map(({ name, subscriptions }) => [name, subscriptions.count]));
    expect(counted).toMatchObject({
      Draft: { value: 0, exact: true },
      Past: { value: 2, exact: false },
      Running: { value: 2, exact: true },
      Future: { value: 1, exact: true },
    });
  });

  test('is empty for the sessions of anyone else, whose memberships are not shown either', async () => {
    const owner = await join(server, organizationId, 'owner');
    const others =
      '{ organization { members { nodes { user { databaseId memberships { role } sessions { count { value exact } } } } } } }';
    type Members = { organization: { members: { nodes: { user: { databaseId: string } }[] } } };
    const { organization } = await query<Members>(server, owner, others);
    const foreign = organization.members.nodes.filter(({ user }) => user.databaseId !== owner.userId);
    expect(foreign.length).toBeGreaterThan(3);
    expect(organization.members.nodes).toContainEqual({
      user: {
        databaseId: owner.userId,
        memberships: [{ role: 'OWNER' }],
        sessions: { count: { value: 1, exact: true } },
      },
    });
    const nothing = { memberships: [], sessions: { count: { value: 0, exact: true } } };
    for (const { user } of foreign) expect(user).toEqual({ databaseId: user.databaseId, ...nothing });
  });

  test.each([0, -1, 1_000_001, 2_147_483_647])('refuses %i within a page', async (max) => {
    const nested = `{ events { nodes { subscriptions { count(max: ${max}) { value } } } } }`;
    const inner = expectRefusal(await graphql(server, manager, nested), 200, 'INVALID_QUERY');
    expect(inner.extensions.errors).toMatchObject([{ pointer: '/max', code: 'INVALID_QUERY' }]);
    expect(inner.path).toEqual(['events', 'nodes', 0, 'subscriptions', 'count']);
    const foreign = `{ organization { members { nodes { user { sessions { count(max: ${max}) { value } } } } } } }`;
    const { errors } = await graphql(server, manager, foreign);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_QUERY', errors: [{ pointer: '/max' }] });
  });

  test('checks cursors even if it is the only selected field', async () => {
    const answer = await graphql(server, manager, '{ events(after: "x") { count(max: 1) { value } } }');
    expectRefusal(answer, 200, 'INVALID_CURSOR');
  });
});

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
    const error = expectRefusal(await graphql(server, manager, eventsPage, variables), 200, 'INVALID_QUERY');
    expect(error.extensions.errors?.map((each) => each.pointer)).toContain(pointer);
    expect(error.path).toEqual(['events']);
  });
});

describe('Event', () => {
  test('phase follows the dates of an active event, and is null for any other', async () => {
    const phases = [null, 'CONCLUDED', 'IN_PROGRESS', 'UPCOMING', null, null, null];
    expect(await query(server, manager, '{ events { nodes { phase } } }')).toEqual({
      events: { nodes: phases.map((phase) => ({ phase })) },
    });
  });

  test('event(id) takes either id, and is null for unknown, foreign, hidden and malformed ids', async () => {
    const document = 'query ($id: ID!) { event(id: $id) { databaseId } }';
    const find = async (id: string | number, caller = member) =>
      (await query<{ event: { databaseId: string } | null }>(server, caller, document, { id })).event?.databaseId ??
      null;
    const past = ids.Past as string;
    expect(await find(past)).toBe(past);
    expect(await find(past.toUpperCase())).toBe(past);
    expect(await find(globalId('Event', past))).toBe(past);
    expect(await find(ids.Draft as string)).toBeNull();
    expect(await find(ids.Draft as string, manager)).toBe(ids.Draft);
    expect(await find(past, stranger)).toBeNull();
    for (const id of [randomUUIDv7(), globalId('User', past), '', 'x', 'a'.repeat(10_000), 1]) {
      expect(await find(id)).toBeNull();
    }
  });

  test("viewerSubscription is the viewer's newest one, or null", async () => {
    const eventId = ids.Future as string;
    const { userId } = member;
    await insertSubscription(server.orm, { eventId, userId, status: 'cancelled', createdAt: new Date('2026-01-01') });
    const newest = await insertSubscription(server.orm, { eventId, userId, status: 'waitlisted' });
    const document = '{ events { nodes { name viewerSubscription { databaseId status user { name } } } } }';
    type Answer = { events: { nodes: { name: string; viewerSubscription: unknown }[] } };
    const { events: own } = await query<Answer>(server, member, document);
    for (const { name, viewerSubscription } of own.nodes) {
      const expected = { databaseId: newest.id, status: 'WAITLISTED', user: { name: 'A member' } };
      expect(viewerSubscription).toEqual(name === 'Future' ? expected : null);
    }
    const { events: managers } = await query<Answer>(server, manager, document);
    expect(managers.nodes.map((each) => each.viewerSubscription)).toEqual(names.map(() => null));
  });
});

test('a filter takes either id, but only of the right type', async () => {
  const id = ids.Past as string;
  const past = { nodes: [{ name: 'Past' }] };
  for (const eq of [id, id.toUpperCase(), globalId('Event', id)]) {
    expect(await events({ where: { id: { eq } } })).toMatchObject(past);
    expect(await events({ where: { id: { in: [eq, randomUUIDv7()] } } })).toMatchObject(past);
  }
  for (const eq of [globalId('User', id), 'x', '', globalId('Event', 'x')]) {
    const answer = await graphql(server, manager, eventsPage, { where: { id: { eq } } });
    expect(expectRefusal(answer, 200, 'INVALID_QUERY').extensions.errors?.[0]?.pointer).toBe('/where/id/eq');
  }
});

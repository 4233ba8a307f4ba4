import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { createWorld, expectRefusal, globalId, graphql, query, type World } from '../support/graphql.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let world: World;
const day = 86_400_000;
const names = ['Draft', 'Past', 'Running', 'Future', 'Cancelled 100%', 'Tie a', 'Tie b'];
const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer();
  world = await createWorld(server);
  const now = Date.now();
  const at = (days: number) => new Date(now + days * day);
  const inserted = {
    Draft: { status: 0, dateStart: at(-9), dateEnd: at(-8) },
    Past: { status: 1, dateStart: at(-5), dateEnd: at(-4), capacity: 10, visibility: 'public' as const },
    Running: { status: 1, dateStart: at(-1), dateEnd: at(1) },
    Future: { status: 1, dateStart: at(3), dateEnd: at(4), registration: 'approval' as const },
    'Cancelled 100%': { status: 2, dateStart: at(5), dateEnd: at(6) },
    'Tie a': { status: 3, dateStart: at(7), dateEnd: at(8) },
    'Tie b': { status: 3, dateStart: at(7), dateEnd: at(8) },
  };
  for (const [name, input] of Object.entries(inserted)) {
    const event = await insertEvent(server.orm, { organizationId: world.organizationId, name, ...input });
    ids[name] = event.id;
  }
  await insertEvent(server.orm, { organizationId: world.stranger.organizationId, name: 'Foreign' });
});
afterAll(() => server.close());

interface Connection {
  events: {
    edges: { cursor: string; node: { name: string } }[];
    nodes: { name: string }[];
    totalCount: number;
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  };
}

const page = `query ($first: Int, $last: Int, $after: String, $before: String, $where: EventWhere, $orderBy: EventOrder) {
  events(first: $first, last: $last, after: $after, before: $before, where: $where, orderBy: $orderBy) {
    edges { cursor node { name } } nodes { name } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

async function events(variables: Record<string, unknown> = {}, caller = world.manager) {
  return (await query<Connection>(server, caller, page, variables)).events;
}
const namesOf = (connection: Connection['events']) => connection.nodes.map(({ name }) => name);

describe('events', () => {
  test('answers in the order of REST, with equal edges and nodes and its exact total', async () => {
    const all = await events();
    expect(namesOf(all)).toEqual(names);
    expect(all.edges.map(({ node }) => node.name)).toEqual(names);
    expect(all.totalCount).toBe(7);
    expect(all.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: all.edges[0]?.cursor,
      endCursor: all.edges.at(-1)?.cursor,
    });
  });

  test('hides drafts from a member, in the list as in its total, and everything from others', async () => {
    const seen = await events({}, world.member);
    expect(namesOf(seen)).toEqual(names.slice(1));
    expect(seen.totalCount).toBe(6);
    expect(namesOf(await events({}, world.stranger))).toEqual(['Foreign']);
  });

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
    [{ first: 51 }, 0, 7],
    [{ first: 2_147_483_647 }, 0, 7],
    [{ first: null, last: null, after: null, before: null }, 0, 7],
    [{ first: 2, last: null, after: '', before: '' }, 0, 2],
  ])('%j shows the items %i to %i, its flags exact', async (variables, from, to) => {
    const answer = await events(variables);
    expect(namesOf(answer)).toEqual(names.slice(from, to));
    expect(answer.pageInfo).toMatchObject({ hasPreviousPage: from > 0, hasNextPage: to < names.length });
    if (from === to) expect(answer.pageInfo).toMatchObject({ startCursor: null, endCursor: null });
  });

  test.each([1, 2, 3])('walks forwards and backwards by %i and sees each event once', async (size) => {
    for (const orderBy of [{ direction: 'ASC' }, { direction: 'DESC' }, { field: 'CREATED_AT' }]) {
      const expected = namesOf(await events({ orderBy }));
      const forwards: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const answer = await events({ orderBy, first: size, after });
        forwards.push(...namesOf(answer));
        expect(answer.pageInfo.hasPreviousPage).toBe(after !== null);
        after = answer.pageInfo.endCursor;
        more = answer.pageInfo.hasNextPage;
      }
      expect(forwards).toEqual(expected);
      const backwards: string[] = [];
      for (let before: string | null = null, more = true; more; ) {
        const answer = await events({ orderBy, last: size, before });
        backwards.unshift(...namesOf(answer));
        expect(answer.pageInfo.hasNextPage).toBe(before !== null);
        before = answer.pageInfo.startCursor;
        more = answer.pageInfo.hasPreviousPage;
      }
      expect(backwards).toEqual(expected);
    }
  });

  test('knows what lies around an empty page', async () => {
    const all = await events();
    const none = await events({ after: all.pageInfo.endCursor });
    expect(none.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null });
    const between = await events({ after: all.edges[1]?.cursor, before: all.edges[2]?.cursor });
    expect(between.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(between.nodes).toEqual([]);
  });

  test.each([
    [{ first: -1 }, '/first'],
    [{ last: -1 }, '/last'],
    [{ first: 1, last: 1 }, '/last'],
  ])('refuses %j', async (variables, pointer) => {
    const error = expectRefusal(await graphql(server, world.manager, page, variables), 200, 'INVALID_QUERY');
    expect(error.extensions.errors?.map((each) => each.pointer)).toContain(pointer);
    expect(error.path).toEqual(['events']);
  });

  test('refuses a cursor of another list, a forged one and one of another filter, selected or not', async () => {
    const cursor = (await events({ first: 1 })).edges[0]?.cursor as string;
    const foreign = (await events({ first: 1 }, world.stranger)).edges[0]?.cursor as string;
    const forged = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const after of [foreign, forged, 'x', cursor.slice(0, -2)]) {
      const error = expectRefusal(await graphql(server, world.manager, page, { after }), 200, 'INVALID_CURSOR');
      expect(error.extensions.errors?.[0]?.pointer).toBe('/after');
    }
    for (const variables of [
      { after: cursor, where: { status: { eq: 'ACTIVE' } } },
      { before: cursor, orderBy: { field: 'CREATED_AT' } },
    ]) {
      expectRefusal(await graphql(server, world.manager, page, variables), 200, 'INVALID_CURSOR');
    }
    const count = '{ events(after: "x") { totalCount } }';
    expectRefusal(await graphql(server, world.manager, count), 200, 'INVALID_CURSOR');
  });

  test('takes a cursor with the same filter written in another way', async () => {
    const first = await events({ first: 1, where: { status: { in: ['ACTIVE', 'ARCHIVED'] }, capacity: { eq: null } } });
    const where = { and: [{ capacity: { eq: null } }, { status: { in: ['ARCHIVED', 'ACTIVE'] } }], name: null };
    expect(namesOf(await events({ after: first.pageInfo.endCursor, where }))).toEqual(['Future', 'Tie a', 'Tie b']);
  });

  test.each([
    [{}, names],
    [null, names],
    [{ status: null, not: null }, names],
    [{ status: { eq: 'ACTIVE' } }, ['Past', 'Running', 'Future']],
    [{ status: { ne: 'ARCHIVED' } }, names.slice(0, 5)],
    [{ name: { contains: 'TIE' } }, ['Tie a', 'Tie b']],
    [{ name: { contains: '%' } }, ['Cancelled 100%']],
    [{ capacity: { eq: 10 } }, ['Past']],
    [{ capacity: { gte: 10, lt: 11 } }, ['Past']],
    [{ capacity: { ne: null } }, ['Past']],
    [{ visibility: { eq: 'PUBLIC' } }, ['Past']],
    [{ registration: { in: ['APPROVAL', 'CLOSED'] } }, ['Future']],
    [{ phase: { eq: 'CONCLUDED' } }, ['Past']],
    [{ phase: { eq: 'IN_PROGRESS' } }, ['Running']],
    [{ phase: { eq: 'UPCOMING' } }, ['Future']],
    [{ not: { phase: { eq: 'UPCOMING' } } }, names.filter((name) => name !== 'Future')],
    [{ or: [{ status: { eq: 'DRAFT' } }, { name: { contains: 'past' } }] }, ['Draft', 'Past']],
    [{ and: [{ status: { eq: 'ACTIVE' } }, { not: { capacity: { eq: null } } }] }, ['Past']],
  ] as [Record<string, unknown> | null, string[]][])('where %j', async (where, expected) => {
    const answer = await events({ where });
    expect(namesOf(answer)).toEqual(expected);
    expect(answer.totalCount).toBe(expected.length);
  });

  test('a filter takes either id, and of the right type alone', async () => {
    const id = ids.Past as string;
    const past = { nodes: [{ name: 'Past' }] };
    for (const eq of [id, id.toUpperCase(), globalId('Event', id)]) {
      expect(await events({ where: { id: { eq } } })).toMatchObject(past);
      expect(await events({ where: { id: { in: [eq, randomUUIDv7()] } } })).toMatchObject(past);
    }
    for (const eq of [globalId('User', id), 'x', '', globalId('Event', 'x')]) {
      const answer = await graphql(server, world.manager, page, { where: { id: { eq } } });
      expect(expectRefusal(answer, 200, 'INVALID_QUERY').extensions.errors?.[0]?.pointer).toBe('/where/id/eq');
    }
  });

  test.each([
    [{ status: { eq: null } }, '/where/status/eq'],
    [{ id: { in: [] } }, '/where/id/in'],
    [{ or: [] }, '/where/or'],
    [{ or: [{}] }, '/where/or/0'],
    [{ status: {} }, '/where/status'],
    [{ name: { contains: '' } }, '/where/name'],
    [{ name: { contains: 'x'.repeat(201) } }, '/where/name'],
    [{ name: { contains: 'x\0' } }, '/where'],
    [{ slug: { in: Array.from({ length: 101 }, String) } }, '/where/slug/in'],
    [{ or: Array.from({ length: 51 }, () => ({ status: { eq: 'ACTIVE' } })) }, '/where/or'],
    [{ slug: { in: ['x'.repeat(9_000)] } }, '/where'],
    [
      { not: { not: { not: { not: { not: { not: { status: { eq: 'ACTIVE' } } } } } } } },
      '/where/not/not/not/not/not/not',
    ],
  ])('where %j is refused with its pointer', async (where, pointer) => {
    const answer = await graphql(server, world.manager, page, { where });
    const error = expectRefusal(answer, 200, 'INVALID_QUERY');
    expect(error.extensions.errors?.map((each) => each.pointer)).toContain(pointer);
  });

  test.each([
    [{ dateStart: { gt: '2026-02-30T00:00:00Z' } }],
    [{ dateStart: { gt: '2026-01-01' } }],
    [{ dateStart: { gt: 1 } }],
    [{ status: { eq: 1 } }],
    [{ status: { eq: 'active' } }],
    [{ status: { gt: 'ACTIVE' } }],
    [{ capacity: { eq: 1.5 } }],
    [{ capacity: { eq: 3_000_000_000 } }],
    [{ nmae: { contains: 'x' } }],
    [{ name: 'x' }],
    [{ id: { in: [null] } }],
  ])('where %j is refused by the schema', async (where) => {
    const answer = await graphql(server, world.manager, page, { where });
    expectRefusal(answer, 200, 'GRAPHQL_VALIDATION_FAILED');
    const strict = await graphql(
      server,
      world.manager,
      page,
      { where },
      { accept: 'application/graphql-response+json' },
    );
    expectRefusal(strict, 400, 'GRAPHQL_VALIDATION_FAILED');
  });
});

describe('Event', () => {
  test('shows every field of REST under its own name', async () => {
    const document = `query ($id: ID!) { event(id: $id) {
      id databaseId name slug description status dateStart dateEnd timezone location capacity visibility registration
      acceptedCount createdAt updatedAt phase
    } }`;
    const { event } = await query<{ event: Record<string, unknown> }>(server, world.manager, document, {
      id: ids.Past,
    });
    const headers = {
      authorization: `Bearer ${world.manager.accessToken}`,
      'x-organization-id': world.organizationId,
    };
    const response = await fetch(`${server.url}/events/${ids.Past}`, { headers });
    const rest = (await response.json()) as Record<string, unknown>;
    const camel = Object.entries(rest).map(([key, value]) => [
      key.replaceAll(/_(.)/g, (_, c) => c.toUpperCase()),
      value,
    ]);
    expect(event).toEqual({
      ...Object.fromEntries(camel),
      id: globalId('Event', ids.Past as string),
      databaseId: ids.Past,
      status: 'ACTIVE',
      visibility: 'PUBLIC',
      registration: 'OPEN',
      phase: 'CONCLUDED',
    });
  });

  test('phase follows the dates of an active event, and is null for any other', async () => {
    const answer = await query<{ events: { nodes: unknown[] } }>(
      server,
      world.manager,
      '{ events { nodes { phase } } }',
    );
    const phases = [null, 'CONCLUDED', 'IN_PROGRESS', 'UPCOMING', null, null, null];
    expect(answer.events.nodes).toEqual(phases.map((phase) => ({ phase })));
  });

  test('event(id) takes either id, and is null for what is unknown, foreign, hidden or malformed', async () => {
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
      const expected = { databaseId: newest.id, status: 'WAITLISTED', user: { name: 'Max Member' } };
      expect(viewerSubscription).toEqual(name === 'Future' ? expected : null);
    }
    const { events: managers } = await query<Answer>(server, world.manager, document);
    expect(managers.nodes.map((each) => each.viewerSubscription)).toEqual(names.map(() => null));
  });
});

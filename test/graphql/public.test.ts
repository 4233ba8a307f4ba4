import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PublicEventRow } from '../../src/domain/public/public-event.resource.ts';
import { type Caller, expectRefusal, globalId, graphql, query } from '../support/graphql.ts';
import { doors, inDays, insertPublicEvent } from '../support/public-world.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';

const server = await shared(startTestServer());

interface Node {
  id: string;
  databaseId: string;
  [field: string]: unknown;
}
interface Connection {
  totalCount: number;
  nodes: Node[];
  edges: { cursor: string; node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const all = `id databaseId name slug description status dateStart dateEnd timezone location registration updatedAt
  availability form { version questions { key } }`;

async function place() {
  const team = await createTeam(server);
  const { organizationId } = team;
  const anybody: Caller = { organizationId };
  const event = (input: Omit<Parameters<typeof insertPublicEvent>[1], 'organizationId'> = {}) =>
    insertPublicEvent(server, { ...input, organizationId });
  const read = async <Data = { publicEvents: Connection }>(document: string, variables = {}) =>
    await query<Data>(server, anybody, document, variables);
  return { team, organizationId, anybody, event, read };
}

describe('publicEvents', () => {
  it('is the list of REST, without a token', async () => {
    const { event, read, anybody } = await place();
    for (let index = 0; index < 3; index += 1) await event({ dateStart: inDays(index + 1) });
    await event({ status: 0 });
    await event({ visibility: 'organization' });
    const { publicEvents } = await read(`{ publicEvents { totalCount nodes { ${all} } } }`);
    const rest = await send<{ items: PublicEventRow[] }>(server, anybody, 'GET /public/events');
    expect(publicEvents.totalCount).toBe(3);
    expect(publicEvents.nodes).toEqual(
      rest.body.items.map((item) => ({
        ...{ id: globalId('PublicEvent', item.id), databaseId: item.id, name: item.name, slug: item.slug },
        ...{ description: item.description, status: 'ACTIVE', dateStart: item.date_start, dateEnd: item.date_end },
        ...{ timezone: item.timezone, location: item.location, registration: 'OPEN', updatedAt: item.updated_at },
        ...{ availability: 'OPEN', form: { version: 0, questions: [] } },
      })),
    );
  });

  it('takes the filters of REST in the names of GraphQL', async () => {
    const { event, read, anybody } = await place();
    const a = await event({ name: 'Jazz night' });
    await event({ name: 'Rock night', status: 2 });
    const filtered = (where: object) =>
      read('query ($where: PublicEventWhere) { publicEvents(where: $where) { totalCount nodes { databaseId } } }', {
        where,
      });
    for (const where of [
      { name: { contains: 'JAZZ' } },
      { id: { in: [a.id, randomUUIDv7()] } },
      { id: { eq: globalId('PublicEvent', a.id) } },
      { slug: { eq: a.slug } },
      { not: { status: { eq: 'CANCELLED' } } },
    ]) {
      const { publicEvents } = await filtered(where);
      expect([publicEvents.totalCount, publicEvents.nodes], JSON.stringify(where)).toEqual([1, [{ databaseId: a.id }]]);
    }
    const unknown = await graphql(server, anybody, '{ publicEvents(where: {capacity: {eq: 1}}) { totalCount } }');
    expectRefusal(unknown, 200, 'GRAPHQL_VALIDATION_FAILED');
  });

  it('shares its cursors with REST, and with no other list', async () => {
    const { event, read, anybody, team } = await place();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await event({ dateStart: inDays(index + 1) })).id);
    const page = `query ($after: String, $before: String, $first: Int, $last: Int) {
      publicEvents(first: $first, last: $last, after: $after, before: $before) { nodes { databaseId } edges { cursor } pageInfo { hasNextPage endCursor } } }`;
    const first = (await read(page, { first: 2 })).publicEvents;
    const rest = await send<{ items: { id: string }[]; next: string; prev: string }>(
      server,
      anybody,
      `GET /public/events?limit=2&token=${first.pageInfo.endCursor}`,
    );
    expect(rest.body.items.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const last = (await read(page, { first: 2, after: rest.body.next })).publicEvents;
    expect([last.nodes.map((each) => each.databaseId), last.pageInfo.hasNextPage]).toEqual([ids.slice(4), false]);
    const back = (await read(page, { last: 2, before: rest.body.prev })).publicEvents;
    expect(back.nodes.map((each) => each.databaseId)).toEqual(ids.slice(0, 2));
    const { events } = await query<{ events: Connection }>(
      server,
      team.owner,
      '{ events(first: 2) { edges { cursor } } }',
    );
    const foreign = await graphql(server, anybody, page, { after: events.edges[0]?.cursor });
    expect(foreign.errors?.[0]?.extensions.code).toBe('INVALID_CURSOR');
    const negative = await graphql(server, anybody, page, { first: -1 });
    expect(negative.errors?.[0]?.extensions.code).toBe('INVALID_QUERY');
  });

  it.each(doors)('tells of an event %s what REST tells', async (_, input, availability) => {
    const { event, read } = await place();
    await event(input);
    const { publicEvents } = await read('{ publicEvents { nodes { availability } } }');
    expect(publicEvents.nodes).toEqual([{ availability: availability.toUpperCase() }]);
  });
});

describe('publicEvent', () => {
  it('finds an event by either id, its slug and a former slug, and no other', async () => {
    const { event, read, team } = await place();
    const { id, slug } = await event();
    await send(server, team.manager, `PATCH /events/${id}`, { slug: 'newer' });
    const names = { id, global: globalId('PublicEvent', id), slug, newer: 'newer' };
    const document = `query ($id: ID!, $global: ID!, $slug: String!, $newer: String!, $hidden: ID!) {
      a: publicEvent(id: $id) { slug } b: publicEvent(id: $global) { slug } c: publicEventBySlug(slug: $slug) { slug }
      d: publicEventBySlug(slug: $newer) { slug } e: publicEvent(id: "newer") { slug }
      f: publicEventBySlug(slug: "x") { slug } g: publicEvent(id: $hidden) { slug } }`;
    const hidden = (await event({ visibility: 'organization' })).id;
    const found = { slug: 'newer' };
    expect(await read(document, { ...names, hidden })).toEqual({
      ...{ a: found, b: found, c: found, d: found, e: null, f: null, g: null },
    });
  });

  it.each(['publicEvent', 'publicEvent(id: null)', 'publicEvent(slug: "x")', 'publicEventBySlug'])(
    'needs its argument, and takes no other: %s',
    async (field) => {
      const { anybody } = await place();
      expectRefusal(await graphql(server, anybody, `{ ${field} { id } }`), 200, 'GRAPHQL_VALIDATION_FAILED');
    },
  );

  it('is a node, for anybody', async () => {
    const { event, read, anybody, team } = await place();
    const { id } = await event();
    const gid = globalId('PublicEvent', id);
    const node = `{ node(id: "${gid}") { ... on PublicEvent { slug availability } } }`;
    expect(await read(node)).toEqual({ node: { slug: expect.any(String), availability: 'OPEN' } });
    expect(await query(server, team.member, node)).toEqual(await read(node));
    const hidden = await event({ status: 3 });
    expect(await read(`{ node(id: "${globalId('PublicEvent', hidden.id)}") { id } }`)).toEqual({ node: null });
    const both = `{ nodes(ids: ["${gid}", "${globalId('Event', id)}"]) { id } }`;
    expectRefusal(await graphql(server, anybody, both), 401, 'INVALID_TOKEN');
    expect(await query(server, team.member, both)).toEqual({ nodes: [{ id: gid }, { id: globalId('Event', id) }] });
  });
});

describe('what is public', () => {
  it('needs the header of an organization that exists', async () => {
    const document = '{ publicEvents { totalCount } }';
    expectRefusal(await graphql(server, {}, document), 400, 'ORGANIZATION_REQUIRED');
    expectRefusal(await graphql(server, { organizationId: 'x' }, document), 400, 'ORGANIZATION_REQUIRED');
    const unknown = { organizationId: randomUUIDv7() };
    expectRefusal(await graphql(server, unknown, document), 403, 'ORGANIZATION_FORBIDDEN');
  });

  it('looks at no token, unless something else is read beside it', async () => {
    const { event, anybody, organizationId } = await place();
    await event();
    const stale: Caller = { organizationId, accessToken: 'nonsense' };
    const document = '{ publicEvents { totalCount } }';
    expect((await graphql(server, stale, document)).data).toEqual({ publicEvents: { totalCount: 1 } });
    for (const other of ['viewer { id }', 'events { totalCount }', 'organization { id }']) {
      const mixed = `{ publicEvents { totalCount } ${other} }`;
      expectRefusal(await graphql(server, anybody, mixed), 401, 'INVALID_TOKEN');
      expectRefusal(await graphql(server, stale, mixed), 401, 'INVALID_TOKEN');
    }
    expectRefusal(await graphql(server, stale, '{ __typename }'), 401, 'INVALID_TOKEN');
  });

  it('shows a stranger to the organization no more than anybody', async () => {
    const { event, organizationId } = await place();
    const { id } = await event();
    const { team } = await place();
    const stranger: Caller = { accessToken: team.owner.accessToken, organizationId };
    expect((await graphql(server, stranger, '{ publicEvents { totalCount } }')).data).toEqual({
      publicEvents: { totalCount: 1 },
    });
    expectRefusal(await graphql(server, stranger, `{ event(id: "${id}") { id } }`), 403, 'ORGANIZATION_FORBIDDEN');
    const hidden = [
      'capacity',
      'acceptedCount',
      'visibility',
      'waitingList',
      'version',
      'createdAt',
      'subscriptions { totalCount }',
    ];
    for (const field of hidden) {
      const answer = await graphql(server, stranger, `{ publicEvents { nodes { ${field} } } }`);
      expectRefusal(answer, 200, 'GRAPHQL_VALIDATION_FAILED');
    }
  });
});

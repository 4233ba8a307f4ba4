import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertMember, insertSubscription } from '../support/fixtures.ts';
import { type Caller, expectRefusal, graphql, query, type World } from '../support/graphql.ts';
import { names, startEvents } from '../support/graphql-events.ts';
import type { TestServer } from '../support/server.ts';
import { signIn } from '../support/sign-in.ts';

let server: TestServer;
let world: World;
let owner: Caller & { userId: string };

beforeAll(async () => {
  let ids: Record<string, string>;
  ({ server, world, ids } = await startEvents());
  for (const [name, people] of Object.entries({ Past: 3, Running: 2, Future: 1 })) {
    for (let index = 0; index < people; index += 1) {
      const { id: userId } = await insertMember(server.orm, { organizationId: world.organizationId, password: null });
      await insertSubscription(server.orm, { eventId: ids[name] as string, userId });
    }
  }
  const { organizationId } = world;
  const { id: userId, email } = await insertMember(server.orm, { organizationId, role: 'owner' });
  owner = { userId, organizationId, accessToken: (await signIn(server.url, email)).accessToken };
});
afterAll(() => server.close());

const document = 'query ($max: Int, $where: EventWhere) { events(where: $where) { count(max: $max) { value exact } } }';
const count = async (variables: Record<string, unknown>, caller = world.manager) =>
  (await query<{ events: { count: unknown } }>(server, caller, document, variables)).events.count;

describe('count', () => {
  test.each([
    [{}, 7, true],
    [{ max: null }, 7, true],
    [{ max: 1 }, 1, false],
    [{ max: 6 }, 6, false],
    [{ max: 7 }, 7, true],
    [{ max: 1_000_000 }, 7, true],
    [{ max: 1, where: { status: { eq: 'ARCHIVED' } } }, 1, false],
    [{ max: 2, where: { status: { eq: 'ARCHIVED' } } }, 2, true],
    [{ max: 2, where: { slug: { eq: 'none' } } }, 0, true],
  ])('of %j is %i, exact: %s', async (variables, value, exact) => {
    expect(names).toHaveLength(7);
    expect(await count(variables)).toEqual({ value, exact });
  });

  test('takes a separate cap under each alias, beside the total', async () => {
    const { events } = await query<{ events: unknown }>(
      server,
      world.manager,
      '{ events(first: 1) { totalCount few: count(max: 2) { value exact } all: count { value exact } nodes { name } } }',
    );
    expect(events).toEqual({
      totalCount: 7,
      few: { value: 2, exact: false },
      all: { value: 7, exact: true },
      nodes: [{ name: 'Draft' }],
    });
  });

  test('caps the subscriptions of each event by itself', async () => {
    const nested = '{ events { nodes { name subscriptions { count(max: 2) { value exact } } } } }';
    type Answer = { events: { nodes: { name: string; subscriptions: { count: unknown } }[] } };
    const { events } = await query<Answer>(server, world.manager, nested);
    const counted = Object.fromEntries(events.nodes.map(({ name, subscriptions }) => [name, subscriptions.count]));
    expect(counted).toMatchObject({
      Draft: { value: 0, exact: true },
      Past: { value: 2, exact: false },
      Running: { value: 2, exact: true },
      Future: { value: 1, exact: true },
    });
  });

  test('is there for every connection, and empty for the sessions of anyone else', async () => {
    const answer = await query<Record<string, never>>(
      server,
      owner,
      `{
        viewer { sessions { count(max: 5) { value exact } } }
        organization {
          members(first: 1) { count(max: 2) { value exact } nodes { user { sessions { count(max: 1) { value exact } } } } }
          invitations { count(max: 1) { value exact } }
          auditEntries { count(max: 1) { value exact } }
        }
      }`,
    );
    expect(answer).toMatchObject({
      viewer: { sessions: { count: { value: 1, exact: true } } },
      organization: {
        members: { count: { value: 2, exact: false } },
        invitations: { count: { value: 0, exact: true } },
        auditEntries: { count: { value: 1 } },
      },
    });
    const others = '{ organization { members { nodes { user { databaseId sessions { count { value exact } } } } } } }';
    type Members = { organization: { members: { nodes: { user: { databaseId: string; sessions: unknown } }[] } } };
    const { organization } = await query<Members>(server, owner, others);
    const foreign = organization.members.nodes.filter(({ user }) => user.databaseId !== owner.userId);
    expect(foreign.length).toBeGreaterThan(3);
    for (const { user } of foreign) expect(user.sessions).toEqual({ count: { value: 0, exact: true } });
  });

  test.each([0, -1, 1_000_001, 2_147_483_647])('refuses %i, on a page as within one', async (max) => {
    const error = expectRefusal(await graphql(server, world.manager, document, { max }), 200, 'INVALID_QUERY');
    expect(error.extensions.errors).toMatchObject([{ pointer: '/max', code: 'INVALID_QUERY' }]);
    expect(error.path).toEqual(['events', 'count']);
    const nested = `{ events { nodes { subscriptions { count(max: ${max}) { value } } } } }`;
    const inner = expectRefusal(await graphql(server, world.manager, nested), 200, 'INVALID_QUERY');
    expect(inner.extensions.errors).toMatchObject([{ pointer: '/max' }]);
    const foreign = `{ organization { members { nodes { user { sessions { count(max: ${max}) { value } } } } } } }`;
    const { errors } = await graphql(server, world.manager, foreign);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_QUERY', errors: [{ pointer: '/max' }] });
  });

  test.each([2_147_483_648, 1.5, '5', true])('%j is no Int, and refused by the schema', async (max) => {
    expectRefusal(await graphql(server, world.manager, document, { max }), 200, 'GRAPHQL_VALIDATION_FAILED');
  });

  test('checks cursors even if it is the only selected field', async () => {
    const answer = await graphql(server, world.manager, '{ events(after: "x") { count(max: 1) { value } } }');
    expectRefusal(answer, 200, 'INVALID_CURSOR');
  });
});

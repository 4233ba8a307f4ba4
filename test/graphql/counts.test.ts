import { describe, expect, test } from 'vitest';
import { insertMember, insertSubscription } from '../support/fixtures.ts';
import { startEvents } from '../support/graphql-events.ts';
import { expectRefusal, graphql, query } from '../support/send.ts';
import { join } from '../support/server.ts';

const { server, world, ids } = await startEvents();
const { organizationId } = world;
for (const [name, people] of Object.entries({ Past: 3, Running: 2, Future: 1 })) {
  for (let index = 0; index < people; index += 1) {
    const { id: userId } = await insertMember(server.orm, { organizationId, password: null });
    await insertSubscription(server.orm, { eventId: ids[name] as string, userId });
  }
}

describe('count', () => {
  test('takes a separate cap under each alias, beside the total', async () => {
    const several = `{ events(first: 1) { totalCount few: count(max: 2) { value exact } all: count { value exact }
      most: count(max: 1000000) { value exact } none: count(max: null) { value exact } nodes { name } } }`;
    const all = { value: 7, exact: true };
    const few = { value: 2, exact: false };
    expect(await query(server, world.manager, several)).toEqual({
      events: { totalCount: 7, few, all, most: all, none: all, nodes: [{ name: 'Draft' }] },
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
    const inner = expectRefusal(await graphql(server, world.manager, nested), 200, 'INVALID_QUERY');
    expect(inner.extensions.errors).toMatchObject([{ pointer: '/max', code: 'INVALID_QUERY' }]);
    expect(inner.path).toEqual(['events', 'nodes', 0, 'subscriptions', 'count']);
    const foreign = `{ organization { members { nodes { user { sessions { count(max: ${max}) { value } } } } } } }`;
    const { errors } = await graphql(server, world.manager, foreign);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_QUERY', errors: [{ pointer: '/max' }] });
  });

  test('checks cursors even if it is the only selected field', async () => {
    const answer = await graphql(server, world.manager, '{ events(after: "x") { count(max: 1) { value } } }');
    expectRefusal(answer, 200, 'INVALID_CURSOR');
  });
});

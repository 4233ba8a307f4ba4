import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { insertEvent, insertMembership, insertSubscription, insertUser } from '../support/fixtures.ts';
import { type Caller, expectRefusal, globalId, graphql, query } from '../support/graphql.ts';
import { signIn } from '../support/sign-in.ts';
import { createTeam, serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();
const { organizationId, manager, member } = team;
const { manager: stranger } = await createTeam(server);
const rename = 'update organization set name = ? where id = ?';
await server.execute(rename, ['Ours', organizationId]);
await server.execute(rename, ['Theirs', stranger.organizationId]);
const eventId = (await insertEvent(server.orm, { organizationId, name: 'Ours' })).id;
const draftId = (await insertEvent(server.orm, { organizationId, status: 0 })).id;
const outsider = (await insertUser(server.orm, { name: 'Olga Outsider' })).id;
const others = (await insertSubscription(server.orm, { eventId, userId: outsider })).id;
const own = (await insertSubscription(server.orm, { eventId, userId: member.userId })).id;
await insertSubscription(server.orm, { eventId: draftId, userId: member.userId });

describe('viewer and organization', () => {
  test('show who one is and where one belongs', async () => {
    const { accessToken, userId, email } = member;
    const second = stranger.organizationId;
    await insertMembership(server.orm, { organizationId: second, userId, role: 'owner' });
    const document = `{ viewer { id name email memberships {
      role user { name memberships { role } } organization { id databaseId name slug signup createdAt }
    } } }`;
    const { viewer } = await query<{ viewer: Record<string, unknown> }>(server, { accessToken }, document);
    const both = { name: 'A member', memberships: [{ role: 'MEMBER' }, { role: 'OWNER' }] };
    expect(viewer).toEqual({
      id: globalId('User', userId),
      name: 'A member',
      email,
      memberships: [
        { role: 'MEMBER', user: both, organization: expect.objectContaining({ databaseId: organizationId }) },
        {
          role: 'OWNER',
          user: both,
          organization: {
            id: globalId('Organization', second),
            databaseId: second,
            name: 'Theirs',
            slug: expect.any(String),
            signup: 'OPEN',
            createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          },
        },
      ],
    });
    await server.orm.em.fork().nativeDelete(Membership, { organization_id: second, user_id: userId });
  });

  test('show the organization of the header, and somebody without any', async () => {
    expect(await query(server, member, '{ organization { databaseId name } }')).toEqual({
      organization: { databaseId: organizationId, name: 'Ours' },
    });
    const { email } = await insertUser(server.orm, { name: 'Guest' });
    const guest = await signIn(server.url, email);
    expect(await query(server, guest, '{ viewer { name memberships { role } } }')).toEqual({
      viewer: { name: 'Guest', memberships: [] },
    });
  });
});

describe('node and nodes', () => {
  const document = `query ($ids: [ID!]!) { nodes(ids: $ids) {
    __typename id
    ... on Event { name phase subscriptions { totalCount } }
    ... on EventSubscription { status user { name } event { name } }
    ... on User { nullableName: name email }
    ... on Organization { name }
    ... on Membership { role organization { name } }
  } }`;
  const find = async (caller: Caller, ids: string[]) =>
    (await query<{ nodes: (Record<string, unknown> | null)[] }>(server, caller, document, { ids })).nodes;

  async function membershipId(userId: string): Promise<string> {
    return (await server.orm.em.fork().findOneOrFail(Membership, { user_id: userId })).id;
  }

  test('answer every type, in the order of the ids', async () => {
    const membership = await membershipId(manager.userId);
    const ids = [
      globalId('EventSubscription', others),
      globalId('Event', eventId),
      globalId('User', outsider),
      globalId('User', manager.userId),
      globalId('Organization', organizationId),
      globalId('Membership', membership),
      globalId('Event', eventId),
    ];
    const event = { __typename: 'Event', name: 'Ours', phase: expect.any(String), subscriptions: { totalCount: 2 } };
    expect(await find(manager, ids)).toMatchObject([
      { __typename: 'EventSubscription', status: 'ACCEPTED', user: { name: 'Olga Outsider' }, event: { name: 'Ours' } },
      event,
      { __typename: 'User', nullableName: 'Olga Outsider', email: `user-${outsider}@example.org` },
      { __typename: 'User', nullableName: 'A manager', email: manager.email },
      { __typename: 'Organization', name: 'Ours' },
      { __typename: 'Membership', role: 'MANAGER', organization: { name: 'Ours' } },
      event,
    ]);
    expect((await find(manager, ids)).map((each) => each?.id)).toEqual(ids);
    for (const id of ids) {
      const one = 'query ($id: ID!) { node(id: $id) { id __typename } }';
      expect((await query<{ node: { id: string } }>(server, manager, one, { id })).node.id).toBe(id);
    }
  });

  test('answer null for foreign, hidden, unknown and malformed ids', async () => {
    const theirs = globalId('Organization', stranger.organizationId);
    const nothing = [
      globalId('Event', draftId),
      globalId('EventSubscription', others),
      globalId('User', outsider),
      globalId('User', manager.userId),
      theirs,
      globalId('Membership', await membershipId(manager.userId)),
      globalId('Event', randomUUIDv7()),
      globalId('User', randomUUIDv7()),
      globalId('Query', randomUUIDv7()),
      globalId('Event', 'x'),
      eventId,
      ...['x', '!', '=', ' '].map((character) => `${globalId('Event', eventId)}${character}`),
      ` ${globalId('Event', eventId)}`,
      '',
      '%',
      'x'.repeat(50_000),
    ];
    expect(await find(member, nothing)).toEqual(nothing.map(() => null));
    const foreign = [globalId('Event', eventId), globalId('EventSubscription', own), globalId('User', member.userId)];
    expect(await find(stranger, foreign)).toEqual([null, null, null]);
    expect(await find(stranger, [theirs])).toMatchObject([{ name: 'Theirs' }]);
  });

  test('nodes takes 100 ids and not one more', async () => {
    const ids = Array.from({ length: 100 }, () => globalId('Event', eventId));
    const small = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const answer = await query<{ nodes: unknown[] }>(server, manager, small, { ids });
    expect(answer.nodes).toHaveLength(100);
    expectRefusal(await graphql(server, manager, small, { ids: [...ids, 'x'] }), 200, 'INVALID_QUERY');
  });
});

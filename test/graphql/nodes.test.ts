import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { insertEvent, insertMembership, insertSubscription, insertUser } from '../support/fixtures.ts';
import { invitationsOf } from '../support/guests.ts';
import { type Caller, expectRefusal, globalId, graphql, query, send } from '../support/send.ts';
import { createKey, createTeam, serveTeam, signIn } from '../support/server.ts';
import { createWebhook } from '../support/webhooks.ts';

const { server, team } = await serveTeam();
const { organizationId, owner, manager, member } = team;
const { owner: stranger } = await createTeam(server);
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
    const document = `{ viewer { id email memberships {
      role user { memberships { role } } organization { id databaseId }
    } } }`;
    const user = { memberships: [{ role: 'MEMBER' }, { role: 'OWNER' }] };
    const memberships = [
      {
        role: 'MEMBER',
        user,
        organization: { id: globalId('Organization', organizationId), databaseId: organizationId },
      },
      { role: 'OWNER', user, organization: { id: globalId('Organization', second), databaseId: second } },
    ];
    const viewer = { id: globalId('User', userId), email, memberships };
    expect(await query(server, { accessToken }, document)).toEqual({ viewer });
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

  test('answer every type, in the order of the ids', async () => {
    const ids = [
      globalId('EventSubscription', others),
      globalId('Event', eventId),
      globalId('User', outsider),
      globalId('User', manager.userId),
      globalId('Organization', organizationId),
      globalId('Membership', manager.membershipId),
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
  });

  test('show objects to those alone who may see them', async () => {
    const invited = await invitationsOf(server).invite(owner);
    const audit = await send<{ items: [{ id: string }] }>(server, owner, 'GET /audit?limit=1');
    const webhook = await createWebhook(server, owner, { url: 'https://example.org/hook' });
    const cases: [string, string, Caller[], Caller[]][] = [
      ['Event', eventId, [member, manager], [stranger]],
      ['Event', draftId, [manager], [member]],
      ['EventSubscription', others, [manager], [member, stranger]],
      ['EventSubscription', own, [member, manager], [stranger]],
      ['User', outsider, [manager], [member, stranger]],
      ['User', manager.userId, [manager], [member]],
      ['User', member.userId, [member, manager], [stranger]],
      ['Organization', stranger.organizationId, [stranger], [member, owner]],
      ['Session', member.sessionId, [member], [owner, manager]],
      ['Membership', member.membershipId, [member, manager], [stranger]],
      ['Membership', owner.membershipId, [owner, manager], [member, stranger]],
      ['Invitation', invited.body.id, [owner, manager], [member, stranger]],
      ['AuditEntry', audit.body.items[0].id, [owner], [manager, member, stranger]],
      ['ApiKey', (await createKey(server, owner)).id, [owner], [manager, member, stranger]],
      ['Webhook', webhook.id, [owner], [manager, member, stranger]],
    ];
    const both = 'query ($id: ID!) { node(id: $id) { __typename id } nodes(ids: [$id]) { __typename id } }';
    for (const [type, uuid, seeing, blind] of cases) {
      const id = globalId(type, uuid);
      const shown = { __typename: type, id };
      for (const caller of seeing)
        expect(await query(server, caller, both, { id }), type).toEqual({ node: shown, nodes: [shown] });
      for (const caller of blind)
        expect(await query(server, caller, both, { id }), type).toEqual({ node: null, nodes: [null] });
    }
  });

  test('answer null for unknown and malformed ids', async () => {
    const nothing = [
      ...['Event', 'User', 'Session', 'Query'].map((type) => globalId(type, randomUUIDv7())),
      globalId('Event', 'x'),
      eventId,
      ...['x', '!', '=', ' '].map((character) => `${globalId('Event', eventId)}${character}`),
      ` ${globalId('Event', eventId)}`,
      ...['', '%', 'x'.repeat(50_000)],
    ];
    expect(await find(member, nothing)).toEqual(nothing.map(() => null));
  });

  test('nodes takes 100 ids and not one more', async () => {
    const ids = Array.from({ length: 100 }, () => globalId('Event', eventId));
    const small = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const answer = await query<{ nodes: unknown[] }>(server, manager, small, { ids });
    expect(answer.nodes).toHaveLength(100);
    expectRefusal(await graphql(server, manager, small, { ids: [...ids, 'x'] }), 200, 'INVALID_QUERY');
  });
});

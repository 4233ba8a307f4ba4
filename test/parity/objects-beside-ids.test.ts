import { isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/schema/schema.ts';
import { createKey } from '../support/api-keys.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { globalId, graphql, query } from '../support/graphql.ts';
import { mailsTo, tokenOf } from '../support/mail.ts';
import { send } from '../support/send.ts';
import { signIn } from '../support/sign-in.ts';
import { countReads } from '../support/statements.ts';
import { createTeam, serveTeam } from '../support/team.ts';
import { createWebhook } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

// GraphQL shows the object of each id (reference/graphql.md#ids).

const { server, team } = await serveTeam({ env: { RATE_LIMIT: 'off' } });
const { owner, manager, member } = team;
const dates = { date_start: '2127-05-01T10:00:00Z', date_end: '2127-05-01T12:00:00Z' };
const event = (await send<{ id: string }>(server, manager, 'POST /events', { name: 'Open Day', status: 1, ...dates }))
  .body;
const row = (await send<{ id: string }>(server, member, `POST /events/${event.id}/subscriptions`)).body;
const webhook = await createWebhook(server, owner, { url: 'https://example.org/hook' });
// its own statements are not counted
await send(server, owner, `PATCH /webhooks/${webhook.id}`, { status: 'paused' });
const key = await createKey(server, owner, { name: 'Till' });

describe('objects', () => {
  it('stand beside the ids of keys, webhooks and invitations', async () => {
    const email = 'invited-beside@example.org';
    await send(server, manager, 'POST /invitations', { email, role: 'member' });
    const { organization } = await query<{ organization: Record<string, { nodes: object[] }> }>(
      server,
      owner,
      `{ organization { viewerRole
        apiKeys { nodes { creator { databaseId } } } webhooks { nodes { creator { databaseId } } }
        invitations { nodes { inviter { databaseId } } } } }`,
    );
    const creator = { databaseId: owner.userId };
    expect(organization).toEqual({
      viewerRole: 'OWNER',
      apiKeys: { nodes: [{ creator }] },
      webhooks: { nodes: [{ creator }] },
      invitations: { nodes: [{ inviter: { databaseId: manager.userId } }] },
    });
  });

  it('stand beside the ids of a history', async () => {
    const { node } = await query<{ node: { changes: { nodes: object[] } } }>(
      server,
      member,
      `query ($id: ID!) { node(id: $id) { ... on EventSubscription { changes { nodes {
        subscriptionDatabaseId subscription { databaseId status } } } } } }`,
      { id: globalId('EventSubscription', row.id) },
    );
    expect(node.changes.nodes).toEqual([
      { subscriptionDatabaseId: row.id, subscription: { databaseId: row.id, status: 'ACCEPTED' } },
    ]);
  });

  it('are the subjects of audit entries, while they exist', async () => {
    const gone = await send<{ id: string }>(server, manager, 'POST /events', { name: 'Gone', ...dates });
    await send(server, manager, `DELETE /events/${gone.body.id}`);
    const read = () =>
      query<{ organization: { auditEntries: { nodes: { action: string; subject: object | null }[] } } }>(
        server,
        owner,
        `{ organization { auditEntries(last: 50, where: {action: {in: [EVENT_CREATED, EVENT_DELETED, API_KEY_CREATED, WEBHOOK_CREATED, SESSION_STARTED]}}) {
          nodes { action subjectDatabaseId subject { __typename id } } } } }`,
      );
    const { result, statements } = await countReads(server.orm, read);
    const { nodes } = result.organization.auditEntries;
    const subjectOf = (id: string) => nodes.find((each) => JSON.stringify(each).includes(id))?.subject;
    expect(subjectOf(event.id)).toEqual({ __typename: 'Event', id: globalId('Event', event.id) });
    expect(subjectOf(key.id)).toEqual({ __typename: 'ApiKey', id: globalId('ApiKey', key.id) });
    expect(subjectOf(webhook.id)).toEqual({ __typename: 'Webhook', id: globalId('Webhook', webhook.id) });
    expect(subjectOf(member.userId)).toEqual({ __typename: 'User', id: globalId('User', member.userId) });
    expect(subjectOf(gone.body.id)).toBeNull();
    // the organization, the entries, and one for each type; the owner is read apart from those that are looked up
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(7);
  });

  it('are lists of the organization of the header, like members', async () => {
    const document =
      '{ organization { events(first: 1) { totalCount nodes { name } } eventSubscriptions { nodes { databaseId } } } }';
    expect(await query(server, member, document)).toEqual({
      organization: {
        events: { totalCount: 1, nodes: [{ name: 'Open Day' }] },
        eventSubscriptions: { nodes: [{ databaseId: row.id }] },
      },
    });
    const without = await graphql(
      server,
      { accessToken: member.accessToken },
      '{ viewer { memberships { organization { members { totalCount } events { totalCount } eventSubscriptions { totalCount } } } } }',
    );
    expect(without.errors?.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('ORGANIZATION_REQUIRED'));
  });

  it('tell of a new membership', async () => {
    const joined =
      'organization { name } membership { role organization { name } user { databaseId } } viewer { databaseId }';
    const created = await mutate(server, owner, 'createOrganization', joined, { name: 'Second' });
    expect(created.data).toEqual({
      createOrganization: {
        organization: { name: 'Second' },
        membership: { role: 'OWNER', organization: { name: 'Second' }, user: { databaseId: owner.userId } },
        viewer: { databaseId: owner.userId },
      },
    });
    const { id: organizationId } = await insertOrganization(server.orm);
    const invitee = await createTeam(server);
    await server.orm.em
      .fork()
      .execute(
        `insert into membership (id, organization_id, user_id, role) values (gen_random_uuid(), ?, ?, 'owner')`,
        [organizationId, invitee.owner.userId],
      );
    const host = { ...(await signIn(server.url, invitee.owner.email)), organizationId };
    await send(server, host, 'POST /invitations', { email: invitee.member.email, role: 'manager' });
    const [mail] = await mailsTo(server, invitee.member.email);
    const accepted = await mutate(
      server,
      invitee.member,
      'acceptInvitation',
      'membership { role } viewer { databaseId }',
      {
        token: tokenOf(mail as { text: string }),
      },
    );
    expect(accepted.data).toEqual({
      acceptInvitation: { membership: { role: 'MANAGER' }, viewer: { databaseId: invitee.member.userId } },
    });
  });
});

describe('the schema', () => {
  const fieldsOf = (name: string) => {
    const type = schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  };

  it('has an interface for what events and public events have in common', async () => {
    const [ours, theirs] = [fieldsOf('Event'), fieldsOf('PublicEvent')];
    expect(Object.keys(fieldsOf('EventFields')).sort()).toEqual(
      Object.keys(ours)
        .filter((name) => name in theirs)
        .sort(),
    );
    const { event: shown } = await query<{ event: object }>(
      server,
      member,
      `query ($id: ID!) { event(id: $id) { ...Common } } fragment Common on EventFields { id name status availability form { version } }`,
      { id: event.id },
    );
    expect(shown).toEqual({
      ...{ id: globalId('Event', event.id), name: 'Open Day', status: 'ACTIVE', availability: 'OPEN' },
      form: { version: 0 },
    });
  });

  it('calls raw ids so, and has a description', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !type.name.startsWith('__'),
    );
    const raw = types.flatMap(({ name }) =>
      Object.values(fieldsOf(name)).flatMap((field) =>
        /^ID!?$/.test(String(field.type)) && !/^id$|[dD]atabaseId$|GlobalId$|^clientMutationId$/.test(field.name)
          ? [`${name}.${field.name}`]
          : [],
      ),
    );
    // global ids of what is gone, and changes, which are no nodes
    expect(raw.filter((name) => !/Payload\./.test(name))).toEqual(['WebhookDelivery.changeId']);
    expect(schema.description).toMatch(/^Events of organizations/);
  });
});

import { isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/schema/schema.ts';
import { insertMembership, insertOrganization } from '../support/fixtures.ts';
import { mailedToken } from '../support/guests.ts';
import { type Caller, globalId, graphql, query, send, trailOf } from '../support/send.ts';
import { createKey, createTeam, join, serveTeam, signIn } from '../support/server.ts';
import { createWebhook } from '../support/webhooks.ts';
import { created, future, mutate, restFace } from '../support/write-faces.ts';

// GraphQL shows the object of each id (reference/graphql.md#ids).

const { server, team } = await serveTeam();
const { owner, manager, member } = team;
const face = restFace(server);
const event = await created(face, manager, { name: 'Open Day' });
const { value: row } = await face.subscribe(member, event.id);
const webhook = await createWebhook(server, owner, { url: 'https://example.org/hook' });
const key = await createKey(server, owner, { name: 'Till' });
const ask = <Data = object>(caller: Caller, document: string, id?: string) =>
  query<Data>(server, caller, document, { id });

describe('objects', () => {
  it('stand beside the ids of keys, webhooks and invitations', async () => {
    const email = 'invited-beside@example.org';
    await send(server, manager, 'POST /invitations', { email, role: 'member' });
    const document = `{ organization { viewerRole
      apiKeys { nodes { creator { databaseId } } } webhooks { nodes { creator { databaseId } } }
      invitations { nodes { inviter { databaseId } } } } }`;
    const made = { nodes: [{ creator: { databaseId: owner.userId } }] };
    const invitations = { nodes: [{ inviter: { databaseId: manager.userId } }] };
    expect(await ask(owner, document)).toEqual({
      organization: { viewerRole: 'OWNER', apiKeys: made, webhooks: made, invitations },
    });
  });

  it('stand beside the ids of a history', async () => {
    const document = `query ($id: ID!) { node(id: $id) { ... on EventSubscription { changes { nodes {
      subscriptionDatabaseId subscription { databaseId status } } } } } }`;
    const subscription = { databaseId: row.id, status: 'ACCEPTED' };
    expect(await ask(member, document, globalId('EventSubscription', row.id))).toEqual({
      node: { changes: { nodes: [{ subscriptionDatabaseId: row.id, subscription }] } },
    });
  });

  it('are the subjects of audit entries, while they exist', async () => {
    const gone = await created(face, manager, { status: 0 });
    await face.deleteEvent(manager, gone.id);
    const actions = 'EVENT_CREATED, EVENT_DELETED, API_KEY_CREATED, WEBHOOK_CREATED, SESSION_STARTED';
    const document = `{ organization { auditEntries(last: 50, where: {action: {in: [${actions}]}}) {
      nodes { action subjectDatabaseId subject { __typename id } } } } }`;
    type Data = { organization: { auditEntries: { nodes: { action: string; subject: object | null }[] } } };
    const { nodes } = (await ask<Data>(owner, document)).organization.auditEntries;
    const subjectOf = (id: string) => nodes.find((each) => JSON.stringify(each).includes(id))?.subject;
    const subjects = { Event: event.id, ApiKey: key.id, Webhook: webhook.id, User: member.userId };
    for (const [type, id] of Object.entries(subjects))
      expect(subjectOf(id)).toEqual({ __typename: type, id: globalId(type, id) });
    expect(subjectOf(gone.id)).toBeNull();
  });

  it('are lists of the organization of the header, like members', async () => {
    const document =
      '{ organization { events(first: 1) { totalCount nodes { name } } eventSubscriptions { nodes { databaseId } } } }';
    expect(await ask(member, document)).toEqual({
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
    await insertMembership(server.orm, { organizationId, userId: invitee.owner.userId, role: 'owner' });
    const host = { ...(await signIn(server.url, invitee.owner.email)), organizationId };
    await send(server, host, 'POST /invitations', { email: invitee.member.email, role: 'manager' });
    const token = await mailedToken(server, invitee.member.email);
    const told = 'membership { role } viewer { databaseId }';
    const accepted = await mutate(server, invitee.member, 'acceptInvitation', told, { token });
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
    const document = `query ($id: ID!) { event(id: $id) { ...Common } }
      fragment Common on EventFields { id name status availability form { version } }`;
    const shown = { name: 'Open Day', status: 'ACTIVE', availability: 'OPEN', form: { version: 0 } };
    expect(await ask(member, document, event.id)).toEqual({ event: { id: globalId('Event', event.id), ...shown } });
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

/** An event that was created, given a form, renamed and exported. */
async function workOnEvent(): Promise<string> {
  const { id } = await created(face, manager);
  await send(server, manager, `PUT /events/${id}/form`, { questions: [{ key: 'a', type: 'text', label: 'A' }] });
  await send(server, manager, `PATCH /events/${id}`, { name: 'Open Night' });
  await send(server, manager, `GET /events/${id}/subscriptions/export?format=csv`);
  return id;
}

describe('an entry of the audit trail', () => {
  it('names the event that it is about, and is found by it on both faces, by either kind of id', async () => {
    const [id, other] = [await workOnEvent(), await workOnEvent()];
    const actions = ['event.created', 'event.changed', 'event.changed', 'subscriptions.exported'];
    const entries = await trailOf(server, owner, { subject_id: id });
    expect(entries).toMatchObject(actions.map((action) => ({ action, subject_id: id })));
    const document = `query ($id: [ID!]) { organization { auditEntries(where: {subjectId: {in: $id}}) {
      totalCount nodes { action subjectDatabaseId } } } }`;
    const find = async (ids: string[]) =>
      (await query<{ organization: never }>(server, owner, document, { id: ids })).organization;
    for (const each of [id, globalId('Event', id)]) {
      expect(await find([each])).toEqual({
        auditEntries: {
          totalCount: 4,
          nodes: actions.map((action) => ({ action: action.toUpperCase().replace('.', '_'), subjectDatabaseId: id })),
        },
      });
    }
    expect(await find([globalId('Event', id), globalId('User', other)])).toMatchObject({
      auditEntries: { totalCount: 8 },
    });
    // a deleted event is still named
    const draft = await send(server, manager, 'POST /events', { name: 'Draft', ...future });
    await send(server, manager, `DELETE /events/${draft.body.id}`);
    const ended = await trailOf(server, owner, { subject_id: draft.body.id });
    expect(ended.map(({ action }) => action)).toEqual(['event.created', 'event.deleted']);
  });

  it('names the user who acted, also after they left, and nobody where nobody was', async () => {
    const leaver = await join(server, team.organizationId, 'manager');
    await send(server, leaver, 'POST /events', { name: 'Last deed', ...future });
    await send(server, owner, `DELETE /members/${leaver.membershipId}`);
    const document = `{ organization { auditEntries(last: 50) { nodes { action actorDatabaseId actor { databaseId name email } } } } }`;
    type Acted = { actorDatabaseId: string | null; actor: Record<string, unknown> | null };
    type Data = { organization: { auditEntries: { nodes: Acted[] } } };
    const { nodes } = (await ask<Data>(owner, document)).organization.auditEntries;
    for (const { actorDatabaseId, actor } of nodes) expect(actor?.databaseId ?? null).toBe(actorDatabaseId);
    const actorOf = (id: string) => nodes.find(({ actorDatabaseId }) => actorDatabaseId === id)?.actor;
    expect(actorOf(manager.userId)).toMatchObject({ name: 'A manager', email: manager.email });
    expect(actorOf(leaver.userId)).toMatchObject({ name: 'A manager', email: null });
  });
});

it('the history of a subscription names the users who acted, also to the holder, who sees no address but their own', async () => {
  const event = await created(face, manager, { capacity: 0 });
  const rows = [];
  for (const person of [member, await join(server, team.organizationId, 'member')]) {
    rows.push((await send<{ id: string }>(server, person, `POST /events/${event.id}/subscriptions`, {})).body);
  }
  const [row] = rows as [{ id: string }];
  await send(server, manager, `PATCH /events/${event.id}`, { capacity: 1 });
  await send(server, manager, `POST /events/${event.id}/subscriptions/${row.id}/check-in`);
  const document = `query ($id: ID!) { event(id: $id) { subscriptions { nodes { databaseId changes { nodes {
    kind actorDatabaseId actor { databaseId name email } } } } } } }`;
  const actor = (person: { userId: string; email: string }, name: string, seen: boolean) => ({
    actorDatabaseId: person.userId,
    actor: { databaseId: person.userId, name, email: seen ? person.email : null },
  });
  for (const viewer of [manager, member]) {
    type Data = { event: { subscriptions: { nodes: { databaseId: string; changes: { nodes: object[] } }[] } } };
    const { nodes } = (await ask<Data>(viewer, document, event.id)).event.subscriptions;
    expect(nodes).toHaveLength(viewer === manager ? 2 : 1);
    expect(nodes.find(({ databaseId }) => databaseId === row.id)?.changes.nodes).toEqual([
      { kind: 'STATUS', ...actor(member, 'A member', true) },
      { kind: 'STATUS', actorDatabaseId: null, actor: null },
      { kind: 'CHECK_IN', ...actor(manager, 'A manager', viewer === manager) },
    ]);
  }
});

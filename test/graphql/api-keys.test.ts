import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKey, type MadeKey } from '../support/api-keys.ts';
import { insertEvent } from '../support/fixtures.ts';
import { expectRefusal, globalId, graphql, query } from '../support/graphql.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';

const server = await shared(startTestServer());
const team = await createTeam(server);
const { owner, organizationId } = team;
const event = await insertEvent(server.orm, { organizationId, status: 0 });
const manager = await createKey(server, owner, { name: 'Writer' });
const reader = await createKey(server, owner, { name: 'Reader', access: 'read' });
const codes = (answer: { errors?: { extensions: { code: string } }[] | undefined }) =>
  answer.errors?.map(({ extensions }) => extensions.code);

const fields =
  'id databaseId name role access webhooks prefix creator { databaseId } createdAt updatedAt expiresAt lastUsedAt';
const create = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { secret apiKey { ${fields} } apiKeyEdge { cursor node { id } } }
}`;

interface Created {
  createApiKey: {
    secret: string;
    apiKey: Record<string, unknown>;
    apiKeyEdge: { cursor: string; node: { id: string } };
  };
}

describe('createApiKey, updateApiKey and deleteApiKey', () => {
  it('do what REST does', async () => {
    const { owner: other } = await createTeam(server);
    const input = { name: ' Shop ', role: 'MEMBER', access: 'WRITE', expiresAt: '2031-05-03T10:00:00+02:00' };
    const { createApiKey: made } = await query<Created>(server, other, create, { input });
    const id = String(made.apiKey.databaseId);
    expect(made.apiKey).toMatchObject({
      ...{
        id: globalId('ApiKey', id),
        name: 'Shop',
        role: 'MEMBER',
        access: 'WRITE',
        prefix: made.secret.slice(0, 12),
      },
      ...{
        webhooks: false,
        creator: { databaseId: other.userId },
        expiresAt: '2031-05-03T08:00:00.000Z',
        lastUsedAt: null,
      },
    });
    const shown = await send(server, other, `GET /api-keys/${id}`);
    expect(shown.body).toMatchObject({
      name: 'Shop',
      role: 'member',
      access: 'write',
      created_at: made.apiKey.createdAt,
    });
    expect((await send(server, { accessToken: made.secret }, 'GET /events')).status).toBe(200);

    const after = await query<{ organization: { apiKeys: { nodes: unknown[]; totalCount: number } } }>(
      server,
      other,
      'query ($after: String) { organization { apiKeys(after: $after) { totalCount nodes { id } } } }',
      { after: made.apiKeyEdge.cursor },
    );
    expect(after.organization.apiKeys).toEqual({ nodes: [], totalCount: 1 });

    const rename = `mutation ($id: ID!) { updateApiKey(input: {id: $id, name: "Till"}) { apiKey { name } } }`;
    expect(await query(server, other, rename, { id })).toEqual({ updateApiKey: { apiKey: { name: 'Till' } } });
    const end = `mutation ($id: ID!) { deleteApiKey(input: {id: $id}) { deletedApiKeyId } }`;
    const gone = await query(server, other, end, { id: made.apiKey.id });
    expect(gone).toEqual({ deleteApiKey: { deletedApiKeyId: made.apiKey.id } });
    expect(codes(await graphql(server, other, end, { id }))).toEqual(['NOT_FOUND']);
    expect(await query(server, other, 'query ($id: ID!) { node(id: $id) { id } }', { id: made.apiKey.id })).toEqual({
      node: null,
    });
  });

  it('name the faults of the input in the words of GraphQL', async () => {
    const input = { name: '', role: 'OWNER', expiresAt: '2001-01-01T00:00:00Z' };
    const [error] = (await graphql(server, owner, create, { input })).errors ?? [];
    expect(error?.extensions.code).toBe('VALIDATION_ERROR');
    expect(error?.extensions.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/expiresAt', '/name', '/role']);
  });

  it('show the secret again to a retry under the same Idempotency-Key', async () => {
    const input = { name: 'Retried', role: 'MEMBER' };
    const ask = () => graphql(server, owner, create, { input }, { 'idempotency-key': 'graphql-once-4711' });
    const [first, second] = [await ask(), await ask()];
    expect([first.errors, second.headers.get('idempotency-replayed')]).toEqual([undefined, 'true']);
    expect(second.text).toBe(first.text);
    const rows = await server.orm.em.fork().getConnection().execute('select * from idempotency_key');
    expect(JSON.stringify(rows)).toContain('sealed:');
    expect(JSON.stringify(rows)).not.toContain((first.data as unknown as Created).createApiKey.secret);
  });
});

describe('Organization.apiKeys', () => {
  const list = (where: string) => `{ organization { apiKeys(where: ${where}) { totalCount nodes { name } } } }`;

  it('filters as REST does', async () => {
    const found = await query(server, owner, list('{name: {contains: "READ"}, access: {eq: READ}}'));
    expect(found).toEqual({ organization: { apiKeys: { totalCount: 1, nodes: [{ name: 'Reader' }] } } });
  });

  it('is for owners', async () => {
    for (const caller of [team.manager, team.member, manager]) {
      expect(codes(await graphql(server, caller, list('{}')))).toContain('FORBIDDEN');
      const node = await query(server, caller, 'query ($id: ID!) { node(id: $id) { id } }', {
        id: globalId('ApiKey', reader.id),
      });
      expect(node).toEqual({ node: null });
    }
  });
});

describe('an operation with a key', () => {
  const keyOnly = { accessToken: manager.secret };

  it('needs no x-organization-id', async () => {
    const document = `query ($event: ID!, $self: ID!) {
      viewer { databaseId name email memberships { id } }
      organization { databaseId members { totalCount } }
      events { totalCount }
      event(id: $event) { databaseId }
      node(id: $self) { ... on User { name } }
    }`;
    const variables = { event: event.id, self: globalId('User', reader.id) };
    expect(await query(server, keyOnly, document, variables)).toEqual({
      viewer: { databaseId: manager.id, name: 'Writer', email: null, memberships: [] },
      organization: { databaseId: organizationId, members: { totalCount: 3 } },
      events: { totalCount: 1 },
      event: { databaseId: event.id },
      node: { name: 'Reader' },
    });
    const nodes = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }`;
    const ids = [globalId('Organization', organizationId), globalId('Membership', team.member.membershipId)];
    expect(await query(server, keyOnly, nodes, { ids })).toEqual({
      nodes: [{ __typename: 'Organization' }, { __typename: 'Membership' }],
    });
  });

  it('runs persisted queries, registers them, and may come by GET', async () => {
    const text = 'query ByName { viewer { name } }';
    const hash = createHash('sha256').update(text).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
    const headers = { authorization: `Bearer ${manager.secret}`, 'content-type': 'application/json' };
    const ask = async (body: object) => {
      const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
      return await response.json();
    };
    expect(await ask({ extensions })).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    });
    const data = { viewer: { name: 'Writer' } };
    expect(await ask({ query: text, extensions })).toMatchObject({ data });
    expect(await ask({ extensions })).toMatchObject({ data });
    const url = `${server.url}/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
    expect(await (await fetch(url, { headers: { authorization: headers.authorization } })).json()).toMatchObject({
      data,
    });
  });

  it('is refused in another organization, and with a header that is none', async () => {
    const { organizationId: foreign } = await createTeam(server);
    const ask = (id: string, document: string) => graphql(server, { ...keyOnly, organizationId: id }, document);
    for (const document of ['{ events { totalCount } }', '{ viewer { name } }']) {
      expectRefusal(await ask(foreign, document), 403, 'ORGANIZATION_FORBIDDEN');
      expectRefusal(await ask('nonsense', document), 400, 'ORGANIZATION_REQUIRED');
    }
  });

  it('is refused with a key that is none, byte for byte as with another', async () => {
    const ended = await createKey(server, owner);
    await send(server, owner, `DELETE /api-keys/${ended.id}`);
    const texts = [ended.secret, 'evk_nonsense'].map(async (accessToken) => {
      const answer = await graphql(server, { accessToken }, '{ events { totalCount } }');
      expectRefusal(answer, 401, 'INVALID_TOKEN');
      return answer.text.replace(answer.headers.get('x-request-id') as string, '');
    });
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  });

  it('answers FORBIDDEN to each mutation of a key that only reads, also under an Idempotency-Key', async () => {
    const document = `mutation {
      a: createEvent(input: {name: "", dateStart: "2031-05-03T10:00:00Z", dateEnd: "2031-05-03T12:00:00Z"}) { event { id } }
      b: deleteEvent(input: {id: "${event.id}"}) { deletedEventId }
    }`;
    const answer = await graphql(server, reader, document);
    expect([answer.status, codes(answer)]).toEqual([200, ['FORBIDDEN', 'FORBIDDEN']]);
    for (const key of ['once', 'not visible']) {
      const kept = await graphql(server, reader, document, undefined, { 'idempotency-key': key });
      expectRefusal(kept, 403, 'FORBIDDEN');
    }
    expect(await query(server, reader, '{ events { totalCount } }')).toEqual({ events: { totalCount: 1 } });
  });

  it.each([
    'mutation { updateProfile(input: {name: "x"}) { viewer { id } } }',
    'mutation { endOtherSessions(input: {}) { endedCount } }',
    'mutation { createOrganization(input: {name: "x"}) { organization { id } } }',
    'mutation { acceptInvitation(input: {token: "x"}) { organization { id } } }',
    `mutation { removeMember(input: {id: "${team.member.membershipId}"}) { removedMembershipId } }`,
    `mutation { subscribeToEvent(input: {eventId: "${event.id}"}) { event { id } } }`,
    `mutation { subscribeToEvent(input: {eventId: "${event.id}", userId: "${globalId('User', manager.id)}"}) { event { id } } }`,
    '{ viewer { sessions { totalCount } } }',
    '{ organization { auditEntries { totalCount } } }',
  ])('is refused: %s', async (document) => {
    expect(codes(await graphql(server, manager, document))).toContain('FORBIDDEN');
  });

  it('looks at no key for what is public', async () => {
    const document = '{ publicEvents { totalCount } }';
    for (const accessToken of [manager.secret, 'evk_nonsense']) {
      expect((await graphql(server, { accessToken, organizationId }, document)).errors).toBeUndefined();
      expectRefusal(await graphql(server, { accessToken }, document), 400, 'ORGANIZATION_REQUIRED');
    }
  });
});

describe('the user of a key', () => {
  it('is there for managers under the name of the key, also once it has ended, and in no list', async () => {
    const key: MadeKey = await createKey(server, owner, { name: 'Old machine' });
    const named = 'query ($id: ID!) { node(id: $id) { __typename ... on User { name email avatarUrl } } }';
    const id = globalId('User', key.id);
    const shown = { node: { __typename: 'User', name: 'Old machine', email: null, avatarUrl: null } };
    for (const caller of [owner, team.manager, key]) expect(await query(server, caller, named, { id })).toEqual(shown);
    expect(await query(server, team.member, named, { id })).toEqual({ node: null });
    await send(server, owner, `DELETE /api-keys/${key.id}`);
    expect(await query(server, team.manager, named, { id })).toEqual(shown);
    const { owner: stranger } = await createTeam(server);
    expect(await query(server, stranger, named, { id })).toEqual({ node: null });
    const members = await query<{ organization: { members: { totalCount: number } } }>(
      server,
      owner,
      '{ organization { members { totalCount } } }',
    );
    expect(members.organization.members.totalCount).toBe(3);
  });
});

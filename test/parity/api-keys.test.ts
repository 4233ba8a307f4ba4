import { describe, expect, it } from 'vitest';
import { makeKeySecret } from '../../src/domain/api-key/api-key-secret.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Caller, expectCode, expectRefusal, globalId, graphql, pointersOf, query, send } from '../support/send.ts';
import { createKey, createTeam, type MadeKey, serveTeam, startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { allowLoopback, createWebhook, deliveriesOf } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

// Keys that run webhooks (reference/api-keys.md#webhooks).

const { server, team } = await serveTeam({ env: allowLoopback });
const receiver = await shared(startReceiver());
const { owner } = team;
const webhook = await createWebhook(server, owner, { url: receiver.url });
const keys = {
  member: await createKey(server, owner, { name: 'Member', role: 'member', webhooks: true }),
  manager: await createKey(server, owner, { name: 'Manager', role: 'manager', webhooks: true }),
};
const ordinary = await createKey(server, owner, { name: 'Ordinary' });
await send(server, team.manager, 'POST /events', {
  ...{ name: 'Open Day', status: 1 },
  ...{ date_start: '2127-05-01T10:00:00Z', date_end: '2127-05-01T12:00:00Z' },
});
const [delivery] = await deliveriesOf(server, owner, webhook, 1);

const { url } = receiver;
const path = `/webhooks/${webhook.id}`;
const id = globalId('Webhook', webhook.id);
const now = new Date().toISOString();

/** An operation by REST, and by a query or the input of a mutation. */
type Row = [title: string, request: string, body: object | undefined, ...([query: string] | [string, string, object])];

/** What such a key may do. */
const allowed: Row[] = [
  ['lists webhooks', 'GET /webhooks', undefined, '{ organization { webhooks { nodes { url creator { name } } } } }'],
  ['counts webhooks', 'GET /webhooks/count', undefined, '{ organization { webhooks { totalCount } } }'],
  ['reads a webhook', `GET ${path}`, undefined, `{ node(id: "${id}") { ... on Webhook { url } } }`],
  [
    ...(['reads deliveries', `GET ${path}/deliveries`, undefined] as const),
    `{ node(id: "${id}") { ... on Webhook { deliveries { nodes { type webhook { url } } } } } }`,
  ],
  ['pauses it', `PATCH ${path}`, { status: 'paused' }, 'updateWebhook', 'webhook { status }', { status: 'PAUSED' }],
  ['resumes it', `PATCH ${path}`, { status: 'active' }, 'updateWebhook', 'webhook { status }', { status: 'ACTIVE' }],
  ['tests it', `POST ${path}/test`, undefined, 'testWebhook', 'delivered', {}],
  [
    ...(['retries a delivery', `POST ${path}/deliveries/${delivery?.id}/retry`, undefined] as const),
    ...(['retryWebhookDelivery', 'webhookDelivery { type }', { id: delivery?.id }] as const),
  ],
  ['replays it', `POST ${path}/replay`, { since: now }, 'replayWebhook', 'webhook { url }', { since: now }],
];

const refused: Row[] = [
  ['creates none', 'POST /webhooks', { url }, 'createWebhook', 'secret', { url, id: undefined }],
  ['deletes none', `DELETE ${path}`, undefined, 'deleteWebhook', 'deletedWebhookId', {}],
  ['sees no secret', `POST ${path}/secret`, undefined, 'rotateWebhookSecret', 'secret', {}],
  ['changes no address', `PATCH ${path}`, { url: 'nonsense' }, 'updateWebhook', 'webhook { url }', { url: 'nonsense' }],
  [
    ...(['changes nothing beside the status', `PATCH ${path}`, { status: 'paused', description: 'x' }] as const),
    ...(['updateWebhook', 'webhook { url }', { status: 'PAUSED', description: 'x' }] as const),
  ],
];

const byRest = (key: Caller, [, request, body]: Row) => send(server, key, request, body);
const byGraphql = (key: MadeKey, [, , , field, selection, input]: Row) =>
  selection === undefined ? graphql(server, key, field) : mutate(server, key, field, selection, { id, ...input });

describe.each(['member', 'manager'] as const)('a key for webhooks with the role %s', (role) => {
  it.each(allowed)('%s', async (...row) => {
    const ours = await byRest(keys[role], row);
    expect(ours.status, ours.text).toBe(200);
    const theirs = await byGraphql(keys[role], row);
    expect(theirs.errors, theirs.text).toBeUndefined();
    expect(theirs.text).not.toMatch(/"(node|webhooks|webhook|deliveries)":null/);
  });

  it.each(refused)('%s', async (...row) => {
    expectCode(await byRest(keys[role], row), 403, 'FORBIDDEN');
    expect((await byGraphql(keys[role], row)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});

it.each([...allowed, ...refused])('any other key is refused where such a key %s', async (...row) => {
  expectCode(await byRest(ordinary, row), 403, 'FORBIDDEN');
  const { data, errors } = await byGraphql(ordinary, row);
  if (errors) expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
  else expect(data).toEqual({ node: null });
});

describe('webhooks of a key', () => {
  it('is a field, false if absent, and does not change', async () => {
    const shown = (key: MadeKey) => send(server, owner, `GET /api-keys/${key.id}`);
    expect((await shown(keys.member)).body).toMatchObject({ webhooks: true });
    expect((await shown(ordinary)).body).toMatchObject({ webhooks: false });
    const { data } = await graphql(server, owner, '{ organization { apiKeys { nodes { webhooks } } } }');
    expect(JSON.stringify(data)).toContain('[{"webhooks":true},{"webhooks":true},{"webhooks":false}');
    const changed = await send(server, owner, `PATCH /api-keys/${ordinary.id}`, { webhooks: true });
    expectCode(changed, 400, 'VALIDATION_ERROR');
  });

  it.each([{ access: 'read' }, {}])('needs access to write, so that it is refused with %j', async (access) => {
    const body = { name: 'Reader', role: 'member', webhooks: true, ...access };
    const rest = await send(server, owner, 'POST /api-keys', body);
    expectCode(rest, 400, 'VALIDATION_ERROR');
    expect(pointersOf(rest)).toEqual(['/webhooks']);
    const input = { ...body, role: 'MEMBER', ...(access.access ? { access: 'READ' } : {}) };
    const { errors } = await mutate(server, owner, 'createApiKey', 'secret', input);
    expect(errors?.[0]?.extensions.errors?.map(({ pointer }) => pointer)).toEqual(['/webhooks']);
  });
});

// Keys in GraphQL, which REST made, and the reverse; and their limits, on both faces (reference/api-keys.md).

describe('createApiKey, updateApiKey and deleteApiKey', () => {
  type Created = { secret: string; apiKey: Record<string, unknown>; apiKeyEdge: { cursor: string } };
  const creation = `secret apiKey { id databaseId name role access webhooks prefix creator { databaseId } createdAt expiresAt
    lastUsedAt } apiKeyEdge { cursor node { id } }`;

  it('do what REST does', async () => {
    const { owner: other } = await createTeam(server);
    const input = { name: ' Shop ', role: 'MEMBER', access: 'WRITE', expiresAt: '2031-05-03T10:00:00+02:00' };
    const { data } = await mutate(server, other, 'createApiKey', creation, input);
    const made: Created = data?.createApiKey as never;
    const id = String(made.apiKey.databaseId);
    const { body } = await send(server, other, `GET /api-keys/${id}`);
    expect(made.apiKey).toEqual({
      ...{ id: globalId('ApiKey', id), databaseId: id, name: 'Shop', role: 'MEMBER', access: 'WRITE', webhooks: false },
      ...{ prefix: made.secret.slice(0, 12), creator: { databaseId: other.userId }, createdAt: body.created_at },
      ...{ expiresAt: '2031-05-03T08:00:00.000Z', lastUsedAt: null },
    });
    expect(body).toMatchObject({ name: 'Shop', role: 'member', access: 'write' });
    expect((await send(server, { accessToken: made.secret }, 'GET /events')).status).toBe(200);
    const list = 'query ($after: String) { organization { apiKeys(after: $after) { totalCount nodes { id } } } }';
    expect(await query(server, other, list, { after: made.apiKeyEdge.cursor })).toEqual({
      organization: { apiKeys: { nodes: [], totalCount: 1 } },
    });
    const renamed = await mutate(server, other, 'updateApiKey', 'apiKey { name }', { id, name: 'Till' });
    expect(renamed.data).toEqual({ updateApiKey: { apiKey: { name: 'Till' } } });
    const end = () => mutate(server, other, 'deleteApiKey', 'deletedApiKeyId', { id: made.apiKey.id });
    expect((await end()).data).toEqual({ deleteApiKey: { deletedApiKeyId: made.apiKey.id } });
    expect((await end()).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('name the faults of the input in the words of GraphQL', async () => {
    const input = { name: '', role: 'OWNER', expiresAt: '2001-01-01T00:00:00Z' };
    const [error] = (await mutate(server, owner, 'createApiKey', 'secret', input)).errors ?? [];
    expect(error?.extensions.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/expiresAt', '/name', '/role']);
  });

  it('show the secret again to a retry under the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'graphql-once-4711' };
    const ask = () => mutate(server, owner, 'createApiKey', 'secret', { name: 'Retried', role: 'MEMBER' }, key);
    const [first, second] = [await ask(), await ask()];
    expect([first.errors, second.headers.get('idempotency-replayed')]).toEqual([undefined, 'true']);
    expect(second.text).toBe(first.text);
    const rows = await server.execute('select * from idempotency_key');
    expect(JSON.stringify(rows)).not.toContain((first.data?.createApiKey as Created | undefined)?.secret as string);
  });
});

it('the user of a key is there for managers under the name of the key, also once it has ended', async () => {
  const key = await createKey(server, owner, { name: 'Old machine' });
  const shown = { node: { __typename: 'User', name: 'Old machine', email: null, avatarUrl: null } };
  const named = 'query ($id: ID!) { node(id: $id) { __typename ... on User { name email avatarUrl } } }';
  const read = (caller: Caller) => query(server, caller, named, { id: globalId('User', key.id) });
  for (const caller of [owner, team.manager, key]) expect(await read(caller)).toEqual(shown);
  expect(await read(team.member)).toEqual({ node: null });
  await send(server, owner, `DELETE /api-keys/${key.id}`);
  expect(await read(team.manager)).toEqual(shown);
  expect(await read((await createTeam(server)).owner)).toEqual({ node: null });
});

describe('with limits', async () => {
  const limited = await shared(
    startTestServer({ env: { RATE_LIMIT: 'on' }, databaseUrl: server.databaseUrl, secrets: server.secrets }),
  );

  const known = await createKey(server, owner);

  it('answers 20 unknown keys a minute from a network, then 429; known ones go on, mistyped ones do not count', async () => {
    const attempt = (secret: string) => send(limited, { accessToken: secret }, 'GET /events');
    for (let count = 0; count < 30; count += 1) expectCode(await attempt('evk_mistyped'), 401, 'INVALID_TOKEN');
    for (let count = 0; count < 20; count += 1) expectCode(await attempt(makeKeySecret()), 401, 'INVALID_TOKEN');
    const refused = await attempt(makeKeySecret());
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const asked = await graphql(limited, { accessToken: makeKeySecret() }, '{ events { totalCount } }');
    const error = expectRefusal(asked, 429, 'RATE_LIMITED');
    expect(error.extensions.retry_after).toBeGreaterThan(0);
    expect((await attempt(known.secret)).status).toBe(200);
    expectCode(await attempt('evk_mistyped'), 401, 'INVALID_TOKEN');
  });

  it('counts the writes of a key as those of a user', async () => {
    const key = await createKey(server, owner, { access: 'read' });
    const refuse = () => send(limited, key, 'POST /events', {});
    const answers = await Promise.all(Array.from({ length: 300 }, refuse));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expectCode(await refuse(), 429, 'RATE_LIMITED');
    expect((await send(limited, key, 'GET /events')).status).toBe(200);
  });
});

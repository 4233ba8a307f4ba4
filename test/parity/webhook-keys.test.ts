import { afterAll, describe, expect, it } from 'vitest';
import { createKey, type MadeKey } from '../support/api-keys.ts';
import { globalId, graphql } from '../support/graphql.ts';
import { startReceiver } from '../support/receiver.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';
import { allowLoopback, createWebhook, deliveriesOf } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

// Keys that run webhooks (reference/api-keys.md#webhooks).

const server = await shared(startTestServer({ env: { ...allowLoopback, RATE_LIMIT: 'off' } }));
const receiver = await startReceiver();
afterAll(() => receiver.close());
const team = await createTeam(server);
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

const path = `/webhooks/${webhook.id}`;
const id = globalId('Webhook', webhook.id);

/** Each operation that such a key may use, in both APIs. */
const allowed: [string, (key: MadeKey) => ReturnType<typeof send>, (key: MadeKey) => ReturnType<typeof graphql>][] = [
  [
    'lists webhooks',
    (key) => send(server, key, 'GET /webhooks'),
    (key) => graphql(server, key, '{ organization { webhooks { totalCount nodes { url creator { name } } } } }'),
  ],
  [
    'counts webhooks',
    (key) => send(server, key, 'GET /webhooks/count'),
    (key) => graphql(server, key, '{ organization { webhooks { totalCount } } }'),
  ],
  [
    'reads a webhook',
    (key) => send(server, key, `GET ${path}`),
    (key) => graphql(server, key, 'query ($id: ID!) { node(id: $id) { ... on Webhook { url } } }', { id }),
  ],
  [
    'reads deliveries',
    (key) => send(server, key, `GET ${path}/deliveries`),
    (key) =>
      graphql(
        server,
        key,
        'query ($id: ID!) { node(id: $id) { ... on Webhook { deliveries { nodes { type webhook { url } } } } } }',
        { id },
      ),
  ],
  [
    'pauses it',
    (key) => send(server, key, `PATCH ${path}`, { status: 'paused' }),
    (key) => mutate(server, key, 'updateWebhook', 'webhook { status }', { id, status: 'PAUSED' }),
  ],
  [
    'makes it active',
    (key) => send(server, key, `PATCH ${path}`, { status: 'active' }),
    (key) => mutate(server, key, 'updateWebhook', 'webhook { status }', { id, status: 'ACTIVE' }),
  ],
  [
    'tests it',
    (key) => send(server, key, `POST ${path}/test`),
    (key) => mutate(server, key, 'testWebhook', 'delivered', { id }),
  ],
  [
    'retries a delivery',
    (key) => send(server, key, `POST ${path}/deliveries/${delivery?.id}/retry`),
    (key) => mutate(server, key, 'retryWebhookDelivery', 'webhookDelivery { type }', { id: delivery?.id }),
  ],
  [
    'replays it',
    (key) => send(server, key, `POST ${path}/replay`, { since: new Date().toISOString() }),
    (key) => mutate(server, key, 'replayWebhook', 'webhook { url }', { id, since: new Date().toISOString() }),
  ],
];

const refused: [string, (key: MadeKey) => ReturnType<typeof send>, (key: MadeKey) => ReturnType<typeof graphql>][] = [
  [
    'creates none',
    (key) => send(server, key, 'POST /webhooks', { url: receiver.url }),
    (key) => mutate(server, key, 'createWebhook', 'secret', { url: receiver.url }),
  ],
  [
    'deletes none',
    (key) => send(server, key, `DELETE ${path}`),
    (key) => mutate(server, key, 'deleteWebhook', 'deletedWebhookId', { id }),
  ],
  [
    'sees no secret',
    (key) => send(server, key, `POST ${path}/secret`),
    (key) => mutate(server, key, 'rotateWebhookSecret', 'secret', { id }),
  ],
  [
    'changes no address',
    (key) => send(server, key, `PATCH ${path}`, { url: 'nonsense' }),
    (key) => mutate(server, key, 'updateWebhook', 'webhook { url }', { id, url: 'nonsense' }),
  ],
  [
    'changes nothing beside the status',
    (key) => send(server, key, `PATCH ${path}`, { status: 'paused', description: 'x' }),
    (key) => mutate(server, key, 'updateWebhook', 'webhook { url }', { id, status: 'PAUSED', description: 'x' }),
  ],
];

describe.each(['member', 'manager'] as const)('a key for webhooks with the role %s', (role) => {
  it.each(allowed)('%s', async (_title, rest, gql) => {
    const ours = await rest(keys[role]);
    expect(ours.status, ours.text).toBe(200);
    const theirs = await gql(keys[role]);
    expect(theirs.errors, theirs.text).toBeUndefined();
    expect(theirs.text).not.toMatch(/"(node|webhooks|webhook|deliveries)":null/);
  });

  it.each(refused)('%s', async (_title, rest, gql) => {
    expectCode(await rest(keys[role]), 403, 'FORBIDDEN');
    expect((await gql(keys[role])).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});

describe('any other key', () => {
  it.each([...allowed, ...refused])('is refused where such a key %s', async (_title, rest, gql) => {
    expectCode(await rest(ordinary), 403, 'FORBIDDEN');
    const { data, errors } = await gql(ordinary);
    if (errors) expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
    else expect(data).toEqual({ node: null });
  });
});

describe('a manager', () => {
  it.each(allowed)('is refused where such a key %s', async (_title, rest) => {
    expectCode(await rest(team.manager as never), 403, 'FORBIDDEN');
  });
});

describe('webhooks of a key', () => {
  it('is a field, false if absent, and does not change', async () => {
    const shown = (key: MadeKey) => send(server, owner, `GET /api-keys/${key.id}`);
    expect((await shown(keys.member)).body).toMatchObject({ webhooks: true });
    expect((await shown(ordinary)).body).toMatchObject({ webhooks: false });
    const { data } = await graphql(server, owner, '{ organization { apiKeys { nodes { webhooks } } } }');
    expect(JSON.stringify(data)).toContain('[{"webhooks":true},{"webhooks":true},{"webhooks":false}]');
    expectCode(
      await send(server, owner, `PATCH /api-keys/${ordinary.id}`, { webhooks: true }),
      400,
      'VALIDATION_ERROR',
    );
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

  it('ends with the key', async () => {
    const key = await createKey(server, owner, { name: 'Short', role: 'member', webhooks: true });
    await send(server, owner, `DELETE /api-keys/${key.id}`);
    expectCode(await send(server, key, `PATCH ${path}`, { status: 'paused' }), 401, 'INVALID_TOKEN');
  });
});

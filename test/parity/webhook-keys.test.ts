import { afterAll, describe, expect, it } from 'vitest';
import { createKey, type MadeKey } from '../support/api-keys.ts';
import { type Caller, globalId, graphql } from '../support/graphql.ts';
import { startReceiver } from '../support/receiver.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { createTeam } from '../support/team.ts';
import { allowLoopback, createWebhook, deliveriesOf } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

// Keys that run webhooks (reference/api-keys.md#webhooks).

const server = await serve({ env: { ...allowLoopback, RATE_LIMIT: 'off' } });
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
  [
    'creates none',
    'POST /webhooks',
    { url: receiver.url },
    'createWebhook',
    'secret',
    { url: receiver.url, id: undefined },
  ],
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

describe('any other key', () => {
  it.each([...allowed, ...refused])('is refused where such a key %s', async (...row) => {
    expectCode(await byRest(ordinary, row), 403, 'FORBIDDEN');
    const { data, errors } = await byGraphql(ordinary, row);
    if (errors) expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
    else expect(data).toEqual({ node: null });
  });
});

describe('a manager', () => {
  it.each(allowed)('is refused where such a key %s', async (...row) => {
    expectCode(await byRest(team.manager, row), 403, 'FORBIDDEN');
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

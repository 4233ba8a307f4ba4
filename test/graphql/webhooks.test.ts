import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { logChange } from '../support/log-change.ts';
import { startReceiver } from '../support/receiver.ts';
import { globalId, graphql, query, send } from '../support/send.ts';
import { createTeam, type Person, serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { allowLoopback, createWebhook, deliveriesOf, messagesOf } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

const server = await serve({ env: { ...allowLoopback, DATABASE_POOL_SIZE: '3' } });
const receiver = await shared(startReceiver());

const url = 'https://example.org/hook';
const fields = `id databaseId url kinds description status statusReason pending creator { databaseId } createdAt updatedAt
  lastSuccessAt lastFailureAt`;
const codeOf = ({ errors }: Awaited<ReturnType<typeof graphql>>) => errors?.[0]?.extensions.code;

interface Created {
  webhook: { databaseId: string; createdAt: string };
  webhookEdge: { cursor: string };
  secret: string;
}

const read = async (owner: Person, id: string) => {
  const document = `query ($id: ID!) { node(id: $id) { ... on Webhook { ${fields} } } }`;
  return (await query<{ node: object | null }>(server, owner, document, { id: globalId('Webhook', id) })).node;
};

describe('mutations', () => {
  it('create a webhook, and show its secret this once; change it, its secret and its kinds; delete it', async () => {
    const { owner } = await createTeam(server);
    const selection = `webhook { ${fields} } webhookEdge { cursor node { databaseId } } secret`;
    const { data } = await mutate(server, owner, 'createWebhook', selection, { url });
    const created: Created = data?.createWebhook as never;
    const { webhook, webhookEdge, secret } = created;
    const { databaseId: id } = webhook;
    expect(webhook).toEqual({
      ...{ id: globalId('Webhook', id), databaseId: id, url, kinds: ['EVENT', 'FORM', 'SUBSCRIPTION'] },
      ...{ description: '', status: 'ACTIVE', statusReason: null, pending: 0, creator: { databaseId: owner.userId } },
      ...{ lastSuccessAt: null, lastFailureAt: null, createdAt: expect.any(String), updatedAt: webhook.createdAt },
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = '{ organization { webhooks { totalCount edges { cursor node { databaseId } } } } }';
    const webhooks = { totalCount: 1, edges: [webhookEdge] };
    expect(await query(server, owner, listed)).toEqual({ organization: { webhooks } });
    const changes = { url: `${url}/2`, kinds: ['EVENT'], description: 'x', status: 'PAUSED' };
    const changed = await mutate(server, owner, 'updateWebhook', `webhook { ${fields} }`, { id, ...changes });
    const shown = await read(owner, id);
    expect(shown).toMatchObject(changes);
    expect(changed.data).toEqual({ updateWebhook: { webhook: shown } });
    const rotated = await mutate(server, owner, 'rotateWebhookSecret', 'webhook { databaseId } secret', { id });
    expect(rotated.data).toEqual({
      rotateWebhookSecret: { webhook: { databaseId: id }, secret: expect.stringMatching(/^whsec_/) },
    });
    expect(rotated.text).not.toContain(secret);
    const deleted = await mutate(server, owner, 'deleteWebhook', 'deletedWebhookId', { id: globalId('Webhook', id) });
    expect(deleted.data).toEqual({ deleteWebhook: { deletedWebhookId: globalId('Webhook', id) } });
    expect(await read(owner, id)).toBeNull();
  });

  it('test one webhook in an operation', async () => {
    const { owner } = await createTeam(server);
    const { id } = await createWebhook(server, owner, { url: receiver.url });
    const before = receiver.received.length;
    const several = `mutation ($input: TestWebhookInput!) { a: testWebhook(input: $input) { delivered } ...b }
      fragment b on Mutation { b: testWebhook(input: $input) { delivered } }`;
    expect(codeOf(await graphql(server, owner, several, { input: { id } }))).toBe('INVALID_QUERY');
    expect(receiver.received).toHaveLength(before);
    const test = await mutate(server, owner, 'testWebhook', 'delivered httpStatus durationMs error', { id });
    expect(test.data).toEqual({
      testWebhook: { delivered: true, httpStatus: 200, durationMs: expect.any(Number), error: null },
    });
    const skipped = several.replace('b: testWebhook(input: $input)', 'b: testWebhook(input: $input) @skip(if: true)');
    expect((await graphql(server, owner, skipped, { input: { id } })).data).toEqual({ a: { delivered: true } });
    const key = { 'idempotency-key': 'one' };
    for (let count = 0; count < 2; count += 1) await mutate(server, owner, 'testWebhook', 'delivered', { id }, key);
    expect(receiver.received).toHaveLength(before + 4);
  });

  it('replay, show the log, to owners of the organization alone, and retry', async () => {
    const { owner, manager, organizationId } = await createTeam(server);
    const { owner: stranger } = await createTeam(server);
    const { id } = await createWebhook(server, owner, { url: receiver.url });
    const before = receiver.received.length;
    const change = await logChange(server, organizationId);
    await messagesOf(receiver, before + 1);
    const replayed = await mutate(server, owner, 'replayWebhook', 'webhook { databaseId }', { id, since: 'start' });
    expect(replayed.data).toEqual({ replayWebhook: { webhook: { databaseId: id } } });
    await messagesOf(receiver, before + 2);
    const entries = await deliveriesOf(server, owner, { id }, 2);
    const document = `query ($id: ID!, $change: ID!) {
      node(id: $id) { ... on Webhook { deliveries(first: 1, where: {changeId: {eq: $change}, status: {eq: SUCCEEDED}}) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { id databaseId changeId type attempt status httpStatus error response durationMs createdAt nextAttemptAt }
      } } } }`;
    type Log = { node: { deliveries: Record<string, unknown> } };
    const { node } = await query<Log>(server, owner, document, { id: globalId('Webhook', id), change });
    const { deliveries } = node;
    const [first] = entries;
    expect(deliveries).toMatchObject({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      nodes: [
        {
          ...{ id: globalId('WebhookDelivery', String(first?.id)), databaseId: first?.id, changeId: change },
          ...{ type: 'EVENT_CHANGED', attempt: 1, status: 'SUCCEEDED', httpStatus: 200, error: null, response: null },
          ...{ durationMs: first?.duration_ms, createdAt: first?.created_at, nextAttemptAt: null },
        },
      ],
    });
    const one = 'query ($id: ID!) { node(id: $id) { id } }';
    const delivery = { id: globalId('WebhookDelivery', String(first?.id)) };
    for (const [person, found] of [[owner, delivery] as const, [manager, null] as const, [stranger, null] as const])
      expect(await query(server, person, one, delivery)).toEqual({ node: found });
    // the cursors of both faces are the same
    const { endCursor } = deliveries.pageInfo as { endCursor: string };
    const where = encodeURIComponent(JSON.stringify({ change_id: change, status: 'succeeded' }));
    const rest = await send<{ next: string }>(server, owner, `GET /webhooks/${id}/deliveries?limit=1&where=${where}`);
    expect(rest.body.next).toBe(endCursor);
    const retried = await mutate(server, owner, 'retryWebhookDelivery', 'webhookDelivery { databaseId }', delivery);
    expect(retried.data).toEqual({ retryWebhookDelivery: { webhookDelivery: { databaseId: first?.id } } });
    await messagesOf(receiver, before + 3);
  });
});

const document = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }';
const asked = {
  REST: ['/webhooks', { url: receiver.url }],
  GraphQL: ['/graphql', { query: document, variables: { input: { url: receiver.url } } }],
} as const;

it.each([
  ['REST', false],
  ['REST', true],
  ['GraphQL', false],
  ['GraphQL', true],
] as const)(
  'webhooks that are created at once do not wait for each other, by %s, with a key: %s',
  async (face, keyed) => {
    const { owner } = await createTeam(server);
    const [path, body] = asked[face];
    const create = () => send(server, owner, `POST ${path}`, body, keyed ? { 'idempotency-key': randomUUID() } : {});
    const began = Date.now();
    for (const { status, text } of await Promise.all(Array.from({ length: 8 }, create))) {
      expect(text).toContain('"secret":"whsec_');
      expect(status).toBe(face === 'REST' ? 201 : 200);
    }
    // one that waits for a lock or a connection gives up after 3 seconds at the earliest
    expect(Date.now() - began).toBeLessThan(3_000);
  },
);

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { send } from '../support/send.ts';
import { createTeam, serve } from '../support/server.ts';
import { allowLoopback } from '../support/webhooks.ts';

const server = await serve({ env: { ...allowLoopback, DATABASE_POOL_SIZE: '3', RATE_LIMIT: 'off' } });

const url = 'http://127.0.0.1:9/';
const document = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }';
const asked = {
  REST: ['/webhooks', { url }],
  GraphQL: ['/graphql', { query: document, variables: { input: { url } } }],
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

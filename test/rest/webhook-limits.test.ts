import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam, join } from '../support/team.ts';
import { allowLoopback, createWebhook } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

const server = await serve({ env: { ...allowLoopback, RATE_LIMIT: 'on' } });
const receiver = await shared(startReceiver());

it('an organization can test its webhooks ten times a minute, on both faces together', async () => {
  const { owner, organizationId } = await createTeam(server);
  const second = await join(server, organizationId, 'owner');
  const [one, two] = [
    await createWebhook(server, owner, { url: receiver.url }),
    await createWebhook(server, owner, { url: receiver.url }),
  ];
  for (let count = 0; count < 5; count += 1) {
    expect((await send(server, owner, `POST /webhooks/${one.id}/test`)).status).toBe(200);
    const { data } = await mutate(server, second, 'testWebhook', 'delivered', { id: two.id });
    expect(data).toEqual({ testWebhook: { delivered: true } });
  }
  const refused = await send(server, owner, `POST /webhooks/${two.id}/test`);
  expectCode(refused, 429, 'RATE_LIMITED');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const { errors } = await mutate(server, second, 'testWebhook', 'delivered', { id: one.id });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retry_after: expect.any(Number) });
  const { owner: other } = await createTeam(server);
  const { id } = await createWebhook(server, other, { url: receiver.url });
  expect((await send(server, other, `POST /webhooks/${id}/test`)).status).toBe(200);
});

it('a webhook is replayed ten times a day; what is refused does not count', async () => {
  const { owner } = await createTeam(server);
  const { id } = await createWebhook(server, owner, { url: receiver.url });
  const replay = (since = new Date().toISOString(), of = id) =>
    send(server, owner, `POST /webhooks/${of}/replay`, { since });
  for (let count = 0; count < 10; count += 1) {
    expectCode(await replay('tomorrow'), 400, 'VALIDATION_ERROR');
    // the one before may not have ended
    await expect.poll(async () => (await replay()).status).toBe(200);
  }
  const refused = await replay(undefined, id.toUpperCase());
  expectCode(refused, 429, 'RATE_LIMITED');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
  const { id: other } = await createWebhook(server, owner, { url: receiver.url });
  expect((await replay(undefined, other)).status).toBe(200);
});

it('who loses the role while a change waits for the webhook is refused', async () => {
  const { owner, organizationId } = await createTeam(server);
  const pool: Pool = await server.orm.driver.getConnection().getNativeClient();
  const { id } = await createWebhook(server, owner, { url: receiver.url });
  for (const [request, body] of [
    [`PATCH /webhooks/${id}`, { description: 'late' }],
    [`POST /webhooks/${id}/secret`, {}],
    [`POST /webhooks/${id}/replay`, { since: 'start' }],
    [`DELETE /webhooks/${id}`, undefined],
    ['POST /webhooks', { url: receiver.url }],
  ] as const) {
    const second = await join(server, organizationId, 'owner');
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select from organization where id = $1 for no key update', [organizationId]);
    await client.query('select from webhook where id = $1 for update', [id]);
    const written = send(server, second, request, body);
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waits)).rowCount).toBeGreaterThan(0);
    await client.query(`update membership set role = 'manager' where id = $1`, [second.membershipId]);
    await client.query('commit');
    client.release();
    expectCode(await written, 403, 'FORBIDDEN');
  }
});

import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { holding, untilLocked } from '../support/locks.ts';
import { expectCode, send } from '../support/send.ts';
import { createTeam, join, serve } from '../support/server.ts';
import { allowLoopback, createWebhook, readWebhook, startStatusReceiver, webhookAuditOf } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

const server = await serve({ env: { ...allowLoopback, RATE_LIMIT: 'on' } });
const receiver = await startStatusReceiver();

const url = 'https://example.org/hook';

describe('POST /webhooks/{webhook}/test', () => {
  it('sends a signed ping, also while the webhook is paused', async () => {
    const { owner } = await createTeam(server);
    const { id, secret } = await createWebhook(server, owner, { url: receiver.url });
    await send(server, owner, `PATCH /webhooks/${id}`, { status: 'paused' });
    const before = receiver.received.length;
    const { body, status } = await send(server, owner, `POST /webhooks/${id}/test`);
    expect([status, body]).toEqual([
      200,
      { delivered: true, http_status: 204, duration_ms: expect.any(Number), error: null },
    ]);
    const { headers, text } = receiver.received[before] as (typeof receiver.received)[0];
    const signed = headers as Record<string, string>;
    expect(new Webhook(secret).verify(text, signed)).toEqual({ type: 'ping', timestamp: expect.any(String), data: {} });
    expect((await send(server, owner, `GET /webhooks/${id}/deliveries/count`)).body).toBe(0);
    expect(await readWebhook(server, owner, { id })).toMatchObject({ status: 'paused', last_success_at: null });
  });

  it('says what the endpoint answered', async () => {
    const { owner } = await createTeam(server);
    const { id } = await createWebhook(server, owner, { url: `${receiver.url}/500` });
    const { body } = await send(server, owner, `POST /webhooks/${id}/test`);
    expect(body).toMatchObject({ delivered: false, http_status: 500, error: 'status 500' });
  });
});

it('POST /webhooks/{webhook}/secret gives a new secret; the newest three sign, the old ones for a day', async () => {
  const team = await createTeam(server);
  const { owner } = team;
  const { id, secret } = await createWebhook(server, owner, { url: receiver.url });
  const secrets = [secret];
  const rotate = async () => {
    const { body, status } = await send<{ secret: string }>(server, owner, `POST /webhooks/${id}/secret`);
    expect([status, Object.keys(body)]).toEqual([200, ['secret']]);
    secrets.push(body.secret);
  };
  const signers = async () => {
    await send(server, owner, `POST /webhooks/${id}/test`);
    const { headers, text } = receiver.received.at(-1) as (typeof receiver.received)[0];
    const signatures = String(headers['webhook-signature']).split(' ');
    const verifies = (each: string) =>
      signatures.findIndex((signature) => {
        try {
          const signed = { ...(headers as Record<string, string>), 'webhook-signature': signature };
          return Boolean(new Webhook(each).verify(text, signed));
        } catch {
          return false;
        }
      });
    return secrets.map(verifies);
  };
  expect(await signers()).toEqual([0]);
  await rotate();
  expect(await signers()).toEqual([1, 0]);
  await rotate();
  await rotate();
  expect(await signers()).toEqual([-1, 2, 1, 0]);
  await server.execute(
    `update webhook_secret set replaced_at = now() - interval '24 hours' where replaced_at is not null and webhook_id = ?`,
    [id],
  );
  expect(await signers()).toEqual([-1, -1, -1, 0]);
  expect((await webhookAuditOf(server, team)).map(({ action }) => action)).toEqual([
    'webhook.created',
    ...Array(3).fill('webhook.secret_changed'),
  ]);
  for (const each of secrets)
    expect(JSON.stringify(await webhookAuditOf(server, team))).not.toContain(each.slice(6, 20));
});

it('POST /webhooks/{webhook}/replay refuses a time in the future, and whatever is no time', async () => {
  const { owner } = await createTeam(server);
  const { id } = await createWebhook(server, owner, { url });
  for (const since of [new Date(Date.now() + 60_000).toISOString(), 'now', '2026-01-01', undefined, 7]) {
    const refused = await send(server, owner, `POST /webhooks/${id}/replay`, { since });
    expectCode(refused, 400, 'VALIDATION_ERROR', ['/since']);
  }
});

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
  const { id } = await createWebhook(server, owner, { url: receiver.url });
  for (const [request, body] of [
    [`PATCH /webhooks/${id}`, { description: 'late' }],
    [`POST /webhooks/${id}/secret`, {}],
    [`POST /webhooks/${id}/replay`, { since: 'start' }],
    [`DELETE /webhooks/${id}`, undefined],
    ['POST /webhooks', { url: receiver.url }],
  ] as const) {
    const second = await join(server, organizationId, 'owner');
    const em = await holding(server, 'select from organization where id = ? for no key update', [organizationId]);
    await em.execute('select from webhook where id = ? for update', [id]);
    const written = send(server, second, request, body);
    await untilLocked(server);
    await em.execute(`update membership set role = 'manager' where id = ?`, [second.membershipId]);
    await em.commit();
    expectCode(await written, 403, 'FORBIDDEN');
  }
});

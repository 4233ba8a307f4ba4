import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { holding, untilLocked } from '../support/locks.ts';
import { startReceiver } from '../support/receiver.ts';
import { expectCode, pointersOf, send, statusesOf, trailOf } from '../support/send.ts';
import { createTeam, join, serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { allowLoopback, type CreatedWebhook, createWebhook, readWebhook } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

const server = await serve({ env: { ...allowLoopback, RATE_LIMIT: 'on' } });
/** Answers with the status at the end of the path; with 204 if there is none. */
const receiver = await shared(
  startReceiver((response, { path }) => void response.writeHead(Number(/\d{3}$/.exec(path)?.[0] ?? 204)).end()),
);
const url = 'https://example.org/hook';

describe('POST /webhooks', () => {
  it('creates a webhook and shows its secret this once', async () => {
    const { owner } = await createTeam(server);
    const made = await send<CreatedWebhook>(server, owner, 'POST /webhooks', { url });
    expect(made.status, made.text).toBe(201);
    const { secret, ...webhook } = made.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ pending: 0, updated_at: webhook.created_at });
    expect(made.headers.get('location')).toBe(`/webhooks/${webhook.id}`);
    expect(await readWebhook(server, owner, webhook)).toEqual(webhook);
    const list = await send<{ items: unknown[] }>(server, owner, 'GET /webhooks');
    expect(list.body.items).toEqual([webhook]);
  });

  it.each<[string, object, ...string[]]>([
    ['every fault at once', { url: 'https://127.0.0.2.:80#', kinds: [], since: 'x' }, '/url', '/kinds', '/since'],
    ['an unknown kind', { kinds: ['member'] }, '/kinds/0'],
    ['no kind', { kinds: [] }, '/kinds'],
    ['a text instead of kinds', { kinds: 'event' }, '/kinds'],
    ['a kind twice', { kinds: ['event', 'event'] }, '/kinds'],
    ['four kinds', { kinds: ['event', 'form', 'subscription', 'event'] }, '/kinds'],
    ['a long description', { description: 'é'.repeat(501) }, '/description'],
    ['an unknown start', { since: '2026-01-01T00:00:00Z' }, '/since'],
    ['a long URL', { url: `${url}?${'x'.repeat(2_000)}` }, '/url'],
  ])('refuses %s', async (_what, fields, ...pointers) => {
    const { owner } = await createTeam(server);
    expectCode(await send(server, owner, 'POST /webhooks', { url, ...fields }), 400, 'VALIDATION_ERROR', pointers);
  });

  it('accepts what is at the bounds', async () => {
    const { owner } = await createTeam(server);
    const long = `${url}?`.padEnd(2_000, 'x');
    const fields = { url: long, description: '🎟'.repeat(500), kinds: ['form'], since: 'start' };
    expect(await createWebhook(server, owner, fields)).toMatchObject({ url: long, kinds: ['form'] });
  });

  it('gives an organization at most 20, also if they are created at once', async () => {
    const { owner } = await createTeam(server);
    const statuses = await statusesOf(25, () => send(server, owner, 'POST /webhooks', { url }));
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(409)]);
    expectCode(await send(server, owner, 'POST /webhooks', { url }), 409, 'CONFLICT');
  });

  it('shows the secret again to a retry with the same key, which is stored encrypted', async () => {
    const { owner } = await createTeam(server);
    const key = 'show-it-once-4711';
    const ask = () => send<CreatedWebhook>(server, owner, 'POST /webhooks', { url }, { 'idempotency-key': key });
    const [first, again] = [await ask(), await ask()];
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    const stored = JSON.stringify([
      await server.execute('select * from idempotency_key'),
      await server.execute('select * from webhook_secret where webhook_id = ?', [first.body.id]),
    ]);
    expect(stored).toContain('sealed:');
    for (const hidden of [first.body.secret.slice(6, 30), key]) expect(stored).not.toContain(hidden);
  });
});

describe('webhooks', () => {
  it('change field by field, and end; the trail tells of each', async () => {
    const team = await createTeam(server);
    const { secret: _, ...webhook } = await createWebhook(server, team.owner, { url });
    const path = `PATCH /webhooks/${webhook.id}`;
    const fields = { url: `${url}/2`, kinds: ['event'], description: 'For the till', status: 'paused' };
    const { body } = await send<CreatedWebhook>(server, team.owner, path, fields);
    expect(body).toEqual({ ...webhook, ...fields, updated_at: expect.any(String) });
    expect(body.updated_at > webhook.updated_at).toBe(true);
    expect((await send(server, team.owner, path, fields)).body).toEqual(body);
    expect((await send(server, team.owner, path, {})).body).toEqual(body);
    const refused = await send(server, team.owner, path, { url: 'https://0xa.1/', status: 'disabled', kinds: null });
    expect(pointersOf(refused).sort()).toEqual(['/kinds', '/status', '/url']);
    expect(await send(server, team.owner, `DELETE /webhooks/${webhook.id}`)).toMatchObject({ status: 200, body: true });
    for (const method of ['GET', 'DELETE'])
      expectCode(await send(server, team.owner, `${method} /webhooks/${webhook.id}`), 404, 'NOT_FOUND');
    expect(await trailOf(server, team.owner, { subject_id: webhook.id })).toMatchObject([
      { action: 'webhook.created', actor_id: team.owner.userId, subject_id: webhook.id },
      {
        action: 'webhook.changed',
        subject_id: webhook.id,
        detail: { fields: ['url', 'kinds', 'description', 'status'] },
      },
      { action: 'webhook.deleted', subject_id: webhook.id },
    ]);
  });
});

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
  const { owner } = await createTeam(server);
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
  const trail = await trailOf(server, owner, { subject_id: id });
  expect(trail.map(({ action }) => action)).toEqual(['webhook.created', ...Array(3).fill('webhook.secret_changed')]);
  for (const each of secrets) expect(JSON.stringify(trail)).not.toContain(each.slice(6, 20));
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

it('who loses the role while a change of webhooks or keys waits is refused', async () => {
  const { owner, organizationId } = await createTeam(server);
  const { id } = await createWebhook(server, owner, { url: receiver.url });
  for (const [request, body] of [
    [`PATCH /webhooks/${id}`, { description: 'late' }],
    [`POST /webhooks/${id}/secret`, {}],
    [`POST /webhooks/${id}/replay`, { since: 'start' }],
    [`DELETE /webhooks/${id}`, undefined],
    ['POST /webhooks', { url: receiver.url }],
    ['POST /api-keys', { name: 'Late', role: 'manager' }],
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

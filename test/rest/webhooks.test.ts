import { describe, expect, it } from 'vitest';
import { expectCode, pointersOf, send, statusesOf } from '../support/send.ts';
import { createTeam, serve } from '../support/server.ts';
import { subscribing } from '../support/subscribing.ts';
import {
  allowLoopback,
  type CreatedWebhook,
  createWebhook,
  messagesOf,
  readWebhook,
  startStatusReceiver,
  webhookAuditOf,
} from '../support/webhooks.ts';

const server = await serve({ env: allowLoopback });
const receiver = await startStatusReceiver();

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

  it.each([
    ['an unknown kind', { kinds: ['member'] }, '/kinds/0'],
    ['no kind', { kinds: [] }, '/kinds'],
    ['a text instead of kinds', { kinds: 'event' }, '/kinds'],
    ['a kind twice', { kinds: ['event', 'event'] }, '/kinds'],
    ['four kinds', { kinds: ['event', 'form', 'subscription', 'event'] }, '/kinds'],
    ['a long description', { description: 'é'.repeat(501) }, '/description'],
    ['an unknown start', { since: '2026-01-01T00:00:00Z' }, '/since'],
    ['a long URL', { url: `${url}?${'x'.repeat(2_000)}` }, '/url'],
  ])('refuses %s', async (_what, fields, pointer) => {
    const { owner } = await createTeam(server);
    expectCode(await send(server, owner, 'POST /webhooks', { url, ...fields }), 400, 'VALIDATION_ERROR', [pointer]);
  });

  it('names every fault at once', async () => {
    const { owner } = await createTeam(server);
    const refused = await send(server, owner, 'POST /webhooks', {
      url: 'https://127.0.0.2.:80#',
      kinds: [],
      since: 'x',
    });
    expect(pointersOf(refused).sort()).toEqual(['/kinds', '/since', '/url']);
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
    expect(await webhookAuditOf(server, team)).toMatchObject([
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

it('what is written by REST is delivered within five seconds', async () => {
  const team = await createTeam(server);
  const { owner, manager, member } = team;
  const { event, subscribe } = subscribing(server, team);
  const { id } = await createWebhook(server, owner, { url: receiver.url });
  const before = receiver.received.length;
  const began = performance.now();
  const made = await event();
  const subscription = await subscribe(member, made);
  const messages = (await messagesOf(receiver, before + 3)).slice(before);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(messages.map(({ type, data }) => [type, data.object_id, data.actor_id]).sort()).toEqual([
    ['event.changed', made.id, null],
    ['event.created', made.id, manager.userId],
    ['subscription.created', subscription.body.id, member.userId],
  ]);
  const ofEvent = messages.filter(({ type }) => type.startsWith('event.')).map(({ type }) => type);
  expect(ofEvent).toEqual(['event.created', 'event.changed']);
  // the feed tells the same
  const { body } = await send<{ items: object[] }>(server, owner, 'GET /changes');
  const organization_id = owner.organizationId;
  expect(messages.map(({ data }) => data)).toEqual(
    expect.arrayContaining(body.items.map((change) => ({ ...change, organization_id }))),
  );
  await expect.poll(async () => (await readWebhook(server, owner, { id })).pending).toBe(0);
});

import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';
import { allowLoopback, createWebhook, readWebhook, startStatusReceiver, webhookAuditOf } from '../support/webhooks.ts';

const server = await serve({ env: allowLoopback });
const receiver = await shared(startStatusReceiver());

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

  it('says the same of an address that is refused and of one that is closed', async () => {
    const { owner } = await createTeam(server);
    const closed = await startReceiver();
    await closed.close();
    const errors: unknown[] = [];
    for (const target of [closed.url, 'https://localhost/hook', 'https://nobody.invalid/']) {
      const { id } = await createWebhook(server, owner, { url: target });
      const { body } = await send(server, owner, `POST /webhooks/${id}/test`);
      expect(body).toMatchObject({ delivered: false, http_status: null });
      errors.push(body.error);
    }
    expect(errors).toEqual(Array(3).fill('refused address'));
  });

  it('looks at no Idempotency-Key', async () => {
    const { owner } = await createTeam(server);
    const { id } = await createWebhook(server, owner, { url: receiver.url });
    const before = receiver.received.length;
    for (const key of ['one', 'one', 'not valid: ü'.slice(0, 10)]) {
      const { status } = await send(server, owner, `POST /webhooks/${id}/test`, undefined, { 'idempotency-key': key });
      expect(status).toBe(200);
    }
    expect(receiver.received.length - before).toBe(3);
  });
});

describe('POST /webhooks/{webhook}/secret', () => {
  it('gives a new secret; the newest three sign, the old ones for a day', async () => {
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
});

describe('POST /webhooks/{webhook}/replay', () => {
  it.each([
    ['a time in the future', new Date(Date.now() + 60_000).toISOString()],
    ['now', 'now'],
    ['a day', '2026-01-01'],
    ['nothing', undefined],
    ['a number', 7],
  ])('refuses %s', async (_what, since) => {
    const { owner } = await createTeam(server);
    const { id } = await createWebhook(server, owner, { url });
    const refused = await send(server, owner, `POST /webhooks/${id}/replay`, { since });
    expectCode(refused, 400, 'VALIDATION_ERROR');
    expect(pointersOf(refused)).toEqual(['/since']);
  });
});

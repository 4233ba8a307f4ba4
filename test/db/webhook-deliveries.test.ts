import { randomUUIDv7 } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { holding } from '../support/locks.ts';
import { logChange } from '../support/log-change.ts';
import { createTeam, serve } from '../support/server.ts';
import { allowLoopback, createWebhook, messageOf, messagesOf, statuses, webhookWorld } from '../support/webhooks.ts';

const server = await serve({ env: allowLoopback });
const { execute, receiver, subscriber } = webhookWorld(server);

describe('a delivery', () => {
  it('says what changed, signed, within seconds', async () => {
    const { target, organizationId, webhook, log, shown, deliveries } = await subscriber();
    const object = randomUUIDv7();
    const id = await log({ kind: 'event', op: 'changed', object_id: object, event_id: object, version: 3 });
    const [message] = await messagesOf(target, 1);
    expect(message).toEqual({
      type: 'event.changed',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        ...{ id, kind: 'event', op: 'changed', object_id: object, event_id: object, version: 3, actor_id: null },
        occurred_at: message?.timestamp,
        organization_id: organizationId,
      },
    });
    const { headers, text } = target.received[0] as (typeof target.received)[0];
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id });
    expect(new Webhook(webhook.secret).verify(text, headers as Record<string, string>)).toEqual(message);
    const [entry] = await deliveries(1);
    expect(entry).toEqual({
      ...{ id: expect.any(String), change_id: id, type: 'event.changed', attempt: 1, status: 'succeeded' },
      ...{ http_status: 200, error: null, response: null, duration_ms: expect.any(Number), next_attempt_at: null },
      created_at: expect.any(String),
    });
    expect(await shown()).toMatchObject({
      ...{ pending: 0, last_success_at: entry?.created_at, last_failure_at: null, updated_at: webhook.updated_at },
    });
  });

  it('is not pending any more, although a transaction was open when its change was read', async () => {
    const { log, shown, deliveries } = await subscriber();
    await holding(server, 'select pg_current_xact_id()');
    await log();
    await deliveries(1);
    expect(await shown()).toMatchObject({ pending: 0 });
  });

  it('is made of the kinds that the webhook is about, and of nothing before it', async () => {
    const { owner, organizationId } = await createTeam(server);
    const target = await receiver();
    await logChange(server, organizationId, { kind: 'form' });
    await createWebhook(server, owner, { url: target.url, kinds: ['form'] });
    await logChange(server, organizationId, { kind: 'event' });
    const wanted = await logChange(server, organizationId, { kind: 'form' });
    await messagesOf(target, 1);
    await createWebhook(server, owner, { url: target.url, kinds: ['form'], since: 'start' });
    const all = await messagesOf(target, 3);
    expect(all[0]?.data.id).toBe(wanted);
    expect(all.map(({ type }) => type)).toEqual(Array(3).fill('form.changed'));
  });

  it('is one with the change: what is rolled back is not sent, what commits late is', async () => {
    const { target, organizationId, log } = await subscriber();
    const [early, lost] = [await holding(server, 'select'), await holding(server, 'select')];
    const late = await logChange(early, organizationId);
    await logChange(lost, organizationId);
    const ids = [await log(), late];
    await messagesOf(target, 1);
    await lost.rollback();
    await early.commit();
    await messagesOf(target, 2);
    ids.push(await log());
    expect((await messagesOf(target, 3)).map(({ data }) => data.id)).toEqual(ids);
  });
});

describe('a webhook', () => {
  it('keeps what comes while it is paused, and sends it to its new address', async () => {
    const { target, log, change, shown } = await subscriber();
    await change({ status: 'paused' });
    const ids = [await log(), await log()];
    await expect.poll(async () => (await shown()).pending).toBe(2);
    const other = await receiver();
    await change({ status: 'active', url: other.url });
    const messages = await messagesOf(other, 2);
    expect(messages.map(({ data }) => data.id).sort()).toEqual(ids.sort());
    expect(target.received).toEqual([]);
  });

  it('sends what waits for another try at once when it is resumed, to its new address', async () => {
    const { target, log, change, deliveries } = await subscriber(statuses(500));
    await log();
    await deliveries(1);
    await execute(`update job set due_at = now() + interval '1 hour' where lane = 'deliveries'`);
    await change({ status: 'paused' });
    const other = await receiver();
    await change({ status: 'active', url: other.url });
    await messagesOf(other, 1);
    expect(target.received).toHaveLength(1);
  });

  it('outlives the role and the membership of its maker', async () => {
    const { target, owner, organizationId, log } = await subscriber();
    await execute('delete from membership where organization_id = ? and user_id = ?', [organizationId, owner.userId]);
    await log();
    await messagesOf(target, 1);
  });

  it('says that the lists have to be read if the log no longer has what follows its place', async () => {
    const { target, organizationId, log, change } = await subscriber();
    await log();
    await messagesOf(target, 1);
    await change({ status: 'paused' });
    await log();
    // as after a restore: the newest change that the place knows is another one
    await execute('update change set id = ? where organization_id = ?', [randomUUIDv7(), organizationId]);
    await change({ status: 'active' });
    const messages = await messagesOf(target, 4);
    const types = messages.slice(1).map(({ type }) => type);
    expect(types.sort()).toEqual(['event.refetch', 'form.refetch', 'subscription.refetch']);
    expect(messages[1]?.data).toMatchObject({ object_id: null, event_id: null, organization_id: organizationId });
    const next = await log();
    expect((await messagesOf(target, 5))[4]?.data.id).toBe(next);
  });
});

describe('a failed delivery', () => {
  /** How long it waits for the next attempt. */
  const secondsOf = (entry: { next_attempt_at: string | null; created_at: string } | undefined) =>
    (Date.parse(String(entry?.next_attempt_at)) - Date.parse(String(entry?.created_at))) / 1000;

  it('is tried again, with the same id and body, and a new time', async () => {
    const { target, log, shown, deliveries, hurry } = await subscriber(statuses(500, 302, 200));
    const id = await log();
    const [first] = await deliveries(1);
    expect(first).toMatchObject({ status: 'failed', http_status: 500, error: 'status 500', attempt: 1 });
    expect(Math.abs(secondsOf(first) - 5)).toBeLessThanOrEqual(1);
    expect(await shown()).toMatchObject({ pending: 1, last_failure_at: first?.created_at });
    await hurry();
    const [, second] = await deliveries(2);
    expect(second).toMatchObject({ status: 'failed', http_status: 302, attempt: 2, change_id: id });
    expect(Math.abs(secondsOf(second) - 300)).toBeLessThanOrEqual(60);
    await hurry();
    const [, , third] = await deliveries(3);
    expect(third).toMatchObject({ status: 'succeeded', attempt: 3, next_attempt_at: null });
    expect(new Set(target.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(target.received.map(({ text }) => text)).size).toBe(1);
  });

  it('waits as long as the endpoint asks', async () => {
    const { log, deliveries } = await subscriber((response) => response.writeHead(429, { 'retry-after': '600' }).end());
    await log();
    expect(secondsOf((await deliveries(1))[0])).toBeCloseTo(600, 0);
  });

  it('holds back later changes of its object, and no others', async () => {
    const object = randomUUIDv7();
    let fails = true;
    const { target, log, shown, hurry } = await subscriber((response, request) => {
      const { data } = messageOf(request);
      const failing = fails && data.kind === 'event' && data.object_id === object;
      response.writeHead(failing ? 500 : 200).end();
    });
    const own = [await log({ object_id: object }), await log({ object_id: object }), await log({ object_id: object })];
    const others = [await log(), await log({ kind: 'form', object_id: object, event_id: object })];
    // a form is another object than its event
    await messagesOf(target, 3);
    const first = target.received.map((each) => messageOf(each).data.id);
    expect(first.sort()).toEqual([own[0], ...others].sort());
    await expect.poll(async () => (await shown()).pending).toBe(3);
    fails = false;
    await hurry();
    await messagesOf(target, 6);
    const sent = target.received.map((each) => String(messageOf(each).data.id)).filter((id) => own.includes(id));
    expect(sent).toEqual([own[0], own[0], own[1], own[2]]);
  });
});

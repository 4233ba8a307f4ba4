import { randomUUIDv7 } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { warnOfFailures } from '../../src/domain/webhook/webhook-mail.ts';
import { countMails, mailsTo } from '../support/guests.ts';
import { send, trailOf } from '../support/send.ts';
import { createTeam, join, serve, serveInTest } from '../support/server.ts';
import { allowLoopback, createWebhook, messageOf, messagesOf, statuses, webhookWorld } from '../support/webhooks.ts';

const server = await serve({ env: allowLoopback });
const { execute, logMany, receiver, subscriber, laterDeliveries } = webhookWorld(server);
const db = new PostgresDatabase(server.orm);

describe('a webhook', () => {
  it('is disabled at once by 410, and goes on where it stopped', async () => {
    const { target, owner, webhook, log, change, shown, deliveries } = await subscriber(statuses(410, 200));
    const id = await log();
    await deliveries(1);
    const reason = 'The endpoint answered 410: it is gone.';
    const disabled = { status: 'disabled', status_reason: reason, pending: 1 };
    expect(await shown()).toMatchObject(disabled);
    const later = await log();
    const [mail] = await mailsTo(server, owner.email);
    expect(mail).toMatchObject({ subject: 'A webhook was disabled' });
    expect(mail?.text).toContain(webhook.id);
    const entry = { action: 'webhook.disabled', actor_id: null, subject_id: webhook.id, detail: { reason } };
    expect(await trailOf(server, owner, { subject_id: webhook.id })).toContainEqual(expect.objectContaining(entry));
    const { body: active } = await change({ status: 'active' });
    expect(active).toMatchObject({ status: 'active', status_reason: null });
    const messages = await messagesOf(target, 3);
    expect(messages.map(({ data }) => data.id).sort()).toEqual([id, id, later].sort());
  });

  it('is disabled by 410 even if it was paused while the delivery was in flight', async () => {
    const gone = Promise.withResolvers<void>();
    const { target, log, change, shown, deliveries } = await subscriber((response) => {
      void gone.promise.then(() => response.writeHead(410).end());
    });
    await log();
    await messagesOf(target, 1);
    const { body: paused } = await change({ status: 'paused' });
    expect(paused).toMatchObject({ status: 'paused' });
    gone.resolve();
    await deliveries(1);
    expect(await shown()).toMatchObject({ status: 'disabled' });
  });

  it('is disabled if it delivered nothing during all tries of a change', async () => {
    const { target, log, change, shown, deliveries, hurry } = await subscriber(statuses(500));
    await log();
    for (let count = 1; count <= 10; count += 1) {
      const entries = await deliveries(count);
      const next_attempt_at = count < 10 ? expect.any(String) : null;
      expect(entries.slice(count - 1)).toMatchObject([{ attempt: count, status: 'failed', next_attempt_at }]);
      await hurry();
    }
    expect(await shown()).toMatchObject({
      ...{ status: 'disabled', pending: 1 },
      status_reason: 'No attempt to deliver a change succeeded. The last one: status 500.',
    });
    await laterDeliveries();
    expect(target.received).toHaveLength(10);
    // the whole schedule lies ahead again
    await change({ status: 'active' });
    const again = { attempt: 11, next_attempt_at: expect.any(String) };
    expect((await deliveries(11))[10]).toMatchObject(again);
  });

  it('gives a change up if others were delivered, and goes on with its object; retries send it again, and one that fails leaves it active', async () => {
    const object = randomUUIDv7();
    let poison = true;
    const { target, owner, webhook, log, shown, deliveries, hurry } = await subscriber((response, request) => {
      response.writeHead(poison && messageOf(request).data.version === 1 ? 500 : 200).end();
    });
    const first = await log({ object_id: object, version: 1 });
    const second = await log({ object_id: object, version: 2 });
    await deliveries(1);
    await log();
    for (let count = 3; count <= 11; count += 1) {
      await hurry();
      await deliveries(count);
    }
    const entries = await deliveries(12);
    const tries = entries.filter(({ change_id }) => change_id === first);
    expect(tries).toHaveLength(10);
    expect(tries.at(-1)).toMatchObject({ attempt: 10, status: 'failed', next_attempt_at: null });
    expect(entries.find(({ change_id }) => change_id === second)).toMatchObject({ status: 'succeeded' });
    expect(await shown()).toMatchObject({ status: 'active', pending: 0 });
    const retry = `POST /webhooks/${webhook.id}/deliveries/${tries[0]?.id}/retry`;
    await send(server, owner, retry);
    expect((await deliveries(13))[12]).toMatchObject({ attempt: 11, next_attempt_at: null });
    expect(await shown()).toMatchObject({ status: 'active', pending: 0 });
    poison = false;
    const before = target.received.length;
    await send(server, owner, retry);
    expect((await messagesOf(target, before + 1)).at(-1)?.data.id).toBe(first);
  });

  it('warns its owners once after an hour and once after a day of failures', async () => {
    const { owner, organizationId, webhook, log, deliveries } = await subscriber(statuses(500));
    const second = await join(server, organizationId, 'owner');
    const manager = await join(server, organizationId, 'manager');
    await log();
    await deliveries(1);
    const failedFor = async (time: string) => {
      await execute(`update webhook set failing_since = now() - ?::interval where id = ?`, [time, webhook.id]);
      for (let look = 1; look <= 2; look += 1) await warnOfFailures(db);
      server.services.jobs.nudge('account_mails');
    };
    await failedFor('59 minutes');
    expect(await countMails(server, owner.email)).toBe(0);
    await failedFor('61 minutes');
    expect((await mailsTo(server, owner.email))[0]?.text).toContain('delivered nothing for an hour');
    await mailsTo(server, second.email);
    await failedFor('25 hours');
    expect((await mailsTo(server, owner.email, 2))[1]?.text).toContain('delivered nothing for a day');
    await mailsTo(server, second.email, 2);
    expect(await countMails(server, manager.email)).toBe(0);
  });
});

describe('an endpoint that does not answer', () => {
  /** Never answers, or closes the connection after a time, and says how many requests wait for it. */
  function silence(closesAfter?: number) {
    let waiting = 0;
    let most = 0;
    const respond = (response: ServerResponse) => {
      waiting += 1;
      most = Math.max(most, waiting);
      if (closesAfter !== undefined) setTimeout(() => response.destroy(), closesAfter);
      response.once('close', () => {
        waiting -= 1;
      });
    };
    return { respond, waiting: () => waiting, most: () => most };
  }

  it('gets 8 deliveries of a webhook at once, and 16 of an organization, 12 of them for webhooks that never answered', async () => {
    const { respond, waiting, most } = silence();
    const { target, owner, organizationId } = await subscriber(respond);
    await logMany(organizationId, 10);
    await expect.poll(waiting).toBe(8);
    for (let count = 0; count < 2; count += 1) await createWebhook(server, owner, { url: target.url, since: 'start' });
    await expect.poll(waiting).toBe(12);
    await laterDeliveries();
    expect(most()).toBe(12);
    await execute('update webhook set last_success_at = now() where url = ?', [target.url]);
    await expect.poll(waiting).toBe(16);
    await laterDeliveries();
    expect(most()).toBe(16);
  });

  it('gets one after a try that had no answer', async () => {
    const { respond, most } = silence(200);
    let isFirst = true;
    const { target, log, deliveries } = await subscriber((response) => {
      if (isFirst) response.destroy();
      else respond(response);
      isFirst = false;
    });
    await log();
    const [entry] = await deliveries(1);
    expect(entry).toMatchObject({ http_status: null, error: 'the connection was closed without an answer' });
    for (let count = 0; count < 5; count += 1) await log();
    await expect.poll(() => target.received.length).toBeGreaterThanOrEqual(4);
    expect(most()).toBe(1);
  });

  it('at some objects holds up the others for one try', async () => {
    const hanging = new Set<string>();
    const { target, log, deliveries, hurry } = await subscriber((response, request) => {
      if (hanging.has(String(messageOf(request).data.object_id))) setTimeout(() => response.destroy(), 300);
      else response.end();
    });
    for (let count = 0; count < 6; count += 1) {
      const object = randomUUIDv7();
      hanging.add(object);
      await log({ object_id: object });
    }
    await deliveries(6);
    // all of them are tried again now, one at a time
    const before = target.received.length;
    await hurry();
    await expect.poll(() => target.received.length, { interval: 5 }).toBeGreaterThan(before);
    const during = target.received.length;
    const id = await log();
    await expect.poll(() => target.received.map((each) => messageOf(each).data.id), { interval: 5 }).toContain(id);
    const position = target.received.findIndex((each) => messageOf(each).data.id === id);
    // the one that was in flight, and one that may have begun before the change was read
    expect(position - during).toBeLessThanOrEqual(1);
  });

  it('costs other webhooks and organizations nothing', async () => {
    const healthy = await subscriber();
    await healthy.log();
    await messagesOf(healthy.target, 1);
    const { respond, waiting, most } = silence();
    const silent = await receiver(respond);
    for (let organization = 0; organization < 5; organization += 1) {
      const { owner, organizationId } = await createTeam(server);
      await logMany(organizationId, 12);
      for (let count = 0; count < 3; count += 1)
        await createWebhook(server, owner, { url: silent.url, since: 'start' });
    }
    // three quarters of the places at once; then all, as each gives its place back after a second
    await expect.poll(waiting).toBeGreaterThanOrEqual(48);
    await expect.poll(waiting).toBe(60);
    await healthy.log();
    await messagesOf(healthy.target, 2, 5_000);
    expect(most()).toBe(60);
    const held = `select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
    await expect.poll(() => execute(held)).toEqual([]);
  });
});

it('several processes send each change once, in the order of its object', async () => {
  const { databaseUrl, secrets } = server;
  const other = await serveInTest({ env: allowLoopback, databaseUrl, secrets });
  const objects = Array.from({ length: 10 }, () => randomUUIDv7());
  const { target, log } = await subscriber((response) => {
    setTimeout(() => response.end(), Math.random() * 20);
  });
  for (let version = 1; version <= 10; version += 1) {
    await Promise.all(objects.map((object_id) => log({ object_id, version })));
    other.services.jobs.nudge('deliveries');
    server.services.jobs.nudge('deliveries');
  }
  const messages = await messagesOf(target, 100, 20_000);
  await laterDeliveries();
  expect(target.received).toHaveLength(100);
  for (const object of objects) {
    const versions = messages.filter(({ data }) => data.object_id === object).map(({ data }) => data.version);
    expect(versions).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  }
});

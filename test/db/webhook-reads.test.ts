import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { holding } from '../support/locks.ts';
import { logChange } from '../support/log-change.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { allowLoopback, messageOf, messagesOf, statuses, webhookWorld } from '../support/webhooks.ts';
import { mutate } from '../support/write-faces.ts';

const server = await serve({ env: allowLoopback });
const { execute, logMany, subscriber, laterDeliveries } = webhookWorld(server);

/** Waits until a webhook has read the log. */
const untilRead = ({ id }: { id: string }) =>
  expect.poll(() => execute('select unread from webhook where id = ?', [id])).toEqual([{ unread: false }]);

describe('a replay', () => {
  it('sends again what came since a time, once, and what is still to be delivered once', async () => {
    const { target, owner, webhook, log, change } = await subscriber();
    const ids = [await log()];
    await messagesOf(target, 1);
    await sleep(20);
    const since = new Date().toISOString();
    await sleep(20);
    ids.push(await log(), await log());
    await messagesOf(target, 3);
    await change({ status: 'paused' });
    const waiting = await log();
    const path = `POST /webhooks/${webhook.id}/replay`;
    // later than its place: it is not moved ahead, so nothing is replayed
    expect((await send(server, owner, path, { since: new Date().toISOString() })).body.pending).toBe(1);
    const { status, body } = await send(server, owner, path, { since });
    expect([status, body.id, body.pending]).toEqual([200, webhook.id, 3]);
    // one at a time, by both APIs, also if it is paused
    expectCode(await send(server, owner, path, { since: 'start' }), 409, 'CONFLICT');
    const input = { id: webhook.id, since: 'start' };
    const { errors } = await mutate(server, owner, 'replayWebhook', 'webhook { pending }', input);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['CONFLICT']);
    await change({ status: 'active' });
    const messages = await messagesOf(target, 6);
    await laterDeliveries();
    expect(target.received).toHaveLength(6);
    const again = messages.slice(3).map(({ data }) => data.id);
    expect(again.sort()).toEqual([ids[1], ids[2], waiting].sort());
  });

  it('does not double what waits for another try', async () => {
    const { target, webhook, log, replay, shown, deliveries, hurry } = await subscriber(statuses(500, 200));
    await log();
    await deliveries(1);
    await replay('start');
    await untilRead(webhook);
    expect((await shown()).pending).toBe(1);
    await hurry();
    await messagesOf(target, 2);
    await laterDeliveries();
    expect(target.received).toHaveLength(2);
  });

  it('does not double what is being sent', async () => {
    const waiting: (() => void)[] = [];
    const { target, webhook, log, replay, shown, deliveries } = await subscriber((response) => {
      waiting.push(() => response.end());
    });
    await log();
    await messagesOf(target, 1);
    // it takes long enough to leave the page
    const due = () => execute(`select 1 as row from job where lane = 'deliveries' and party = ?`, [webhook.id]);
    await expect.poll(due).toHaveLength(1);
    await replay('start');
    await untilRead(webhook);
    waiting[0]?.();
    await deliveries(1);
    await expect.poll(async () => (await shown()).pending).toBe(0);
    await laterDeliveries();
    expect(target.received).toHaveLength(1);
  });

  it('sends again what was delivered of a page that is still open', async () => {
    const waiting: (() => void)[] = [];
    let holds = true;
    const { target, organizationId, webhook, log, replay, deliveries } = await subscriber((response) => {
      // the first one of the page, so that the place stays where it was
      if (holds && target.received.length === 2) waiting.push(() => response.end());
      else response.end();
    });
    await log();
    await deliveries(1);
    await logMany(organizationId, 30);
    await messagesOf(target, 31);
    holds = false;
    // a change whose delivery is not recorded yet is still to be delivered, and not sent twice
    const recorded = async () =>
      (await execute('select from webhook_delivery where webhook_id = ?', [webhook.id])).length;
    await expect.poll(recorded).toBe(30);
    const before = target.received.map((each) => messageOf(each).data.id);
    await replay('start');
    for (const answer of waiting) answer();
    const again = (await messagesOf(target, 60)).slice(31).map(({ data }) => data.id);
    expect(before.filter((id) => id !== before[1] && !again.includes(id))).toEqual([]);
  });

  it('counts what waits for another try once, also while nothing is read', async () => {
    const { log, change, replay, shown, deliveries } = await subscriber(statuses(500));
    await log();
    await log();
    await deliveries(2);
    await change({ status: 'paused' });
    expect((await replay('start')).body).toMatchObject({ pending: 2 });
    await log();
    await expect.poll(async () => (await shown()).pending).toBe(3);
  });

  it('from before the log sends everything that is kept, and misses nothing that commits late', async () => {
    const { target, organizationId, log, replay } = await subscriber();
    await log();
    await messagesOf(target, 1);
    const early = await holding(server, 'select pg_current_xact_id()');
    const late = await logChange(early, organizationId);
    await log();
    await messagesOf(target, 2);
    await replay('2000-01-01T00:00:00Z');
    await messagesOf(target, 4);
    await early.commit();
    const messages = await messagesOf(target, 5);
    expect(messages.map(({ data }) => data.id).filter((id) => id === late)).toHaveLength(1);
  });
});

describe('POST /webhooks/{webhook}/deliveries/{delivery}/retry', () => {
  it('tries a change again now, and goes on in the schedule', async () => {
    const { owner, webhook, log, deliveries } = await subscriber(statuses(500, 500, 200, 200));
    await log();
    const [first] = await deliveries(1);
    const retry = () => send(server, owner, `POST /webhooks/${webhook.id}/deliveries/${first?.id}/retry`);
    expect(await retry()).toMatchObject({ status: 200, body: true });
    const [, second] = await deliveries(2);
    expect(second).toMatchObject({ status: 'failed', attempt: 2 });
    expect(Date.parse(String(second?.next_attempt_at)) - Date.now()).toBeGreaterThan(200_000);
    await retry();
    expect((await deliveries(3))[2]).toMatchObject({ status: 'succeeded', attempt: 3 });
    // also what was delivered
    await retry();
    expect((await deliveries(4))[3]).toMatchObject({ status: 'succeeded', attempt: 4 });
  });

  it('comes after earlier changes of the object, and is refused while nothing is sent', async () => {
    const object = randomUUIDv7();
    const { target, owner, webhook, log, change, deliveries } = await subscriber(statuses(200, 500, 200));
    const [early] = [await log({ object_id: object })];
    const [delivered] = await deliveries(1);
    const later = await log({ object_id: object });
    const [, failed] = await deliveries(2);
    const path = (entry: { id: string } | undefined) => `POST /webhooks/${webhook.id}/deliveries/${entry?.id}/retry`;
    await change({ status: 'paused' });
    expectCode(await send(server, owner, path(failed)), 409, 'CONFLICT');
    await execute(`update webhook set status = 'active' where id = ?`, [webhook.id]);
    await Promise.all([send(server, owner, path(delivered)), send(server, owner, path(failed))]);
    const messages = await messagesOf(target, 4);
    expect(messages.slice(2).map(({ data }) => data.id)).toEqual([early, later]);
  });
});

// how webhooks share the places of deliveries, and what they read of the log meanwhile (note 0059)
describe('a webhook', () => {
  it('is recorded together with what was delivered at the same time', async () => {
    const waiting: (() => void)[] = [];
    const { target, webhook, log } = await subscriber((response) => {
      waiting.push(() => response.end());
      if (waiting.length === 8) for (const answer of waiting) answer();
    });
    for (let n = 0; n < 8; n += 1) await log();
    await messagesOf(target, 8);
    await vi.waitFor(async () => {
      const [row] = await execute(
        `select count(*)::int as tries, count(distinct xmin::text)::int as transactions from webhook_delivery
          where webhook_id = ? and status = 'succeeded'`,
        [webhook.id],
      );
      expect(row?.tries).toBe(8);
      // the first one may be recorded while the others arrive
      expect(row?.transactions).toBeLessThan(8);
    });
  });

  it('does not wait for another whose row is locked', async () => {
    const [locked, other] = [await subscriber(), await subscriber()];
    const holder = await holding(server, 'select from webhook where id = ? for update', [locked.webhook.id]);
    const id = await locked.log();
    for (let count = 1; count <= 2; count += 1) {
      await other.log();
      await messagesOf(other.target, count, 3_000);
    }
    await holder.rollback();
    expect((await messagesOf(locked.target, 1, 5_000))[0]?.data.id).toBe(id);
  });

  it('does not read while ten thousand changes wait, and goes on when there is room', async () => {
    const { target, organizationId, webhook, log, shown } = await subscriber();
    await execute(
      `insert into job (id, lane, kind, party, organization_id, key, data, due_at)
        select gen_random_uuid(), 'deliveries', 'delivery', ?, ?, 'event ' || n, jsonb_build_object('change', jsonb_build_object('id', gen_random_uuid())),
          now() + interval '1 hour' from generate_series(1, 10000) n`,
      [webhook.id, organizationId],
    );
    const id = await log();
    await laterDeliveries();
    expect(target.received).toEqual([]);
    expect(await shown()).toMatchObject({ pending: 1000 });
    await execute(`delete from job where lane = 'deliveries' and party = ?`, [webhook.id]);
    const [message] = await messagesOf(target, 1, 5_000);
    expect(message?.data.id).toBe(id);
  });

  it('does not copy a log that it is far behind', { timeout: 240_000 }, async () => {
    const { target, organizationId, webhook, change, shown } = await subscriber();
    await change({ status: 'paused' });
    await logMany(organizationId, 1_500);
    expect((await shown()).pending).toBe(1000);
    let most = 0;
    await change({ status: 'active' });
    await vi.waitFor(
      async () => {
        const queued = await execute(`select from job where lane = 'deliveries' and party = ?`, [webhook.id]);
        most = Math.max(most, queued.length);
        expect(target.received.length).toBeGreaterThanOrEqual(1500);
      },
      { timeout: 200_000, interval: 5 },
    );
    expect(new Set(target.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1500);
    expect(target.received).toHaveLength(1500);
    expect(most).toBeLessThanOrEqual(200);
  });
});

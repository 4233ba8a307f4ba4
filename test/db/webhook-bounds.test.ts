import { describe, expect, it, vi } from 'vitest';
import { hashed } from '#shared-counters';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { allowLoopback, messagesOf, statuses, webhookWorld } from '../support/webhooks.ts';

// What webhooks cost the others (reference/limits.md#webhooks).

const server = await shared(
  startTestServer({ env: { ...allowLoopback, RATE_LIMIT: 'on', BYTES_PER_MINUTE_MIB: '2' } }),
);
const { execute, logMany, subscriber } = webhookWorld(server);

describe('the log of deliveries', () => {
  it('keeps the beginning of an answer of failures alone', async () => {
    const { log, deliveries } = await subscriber((response) => {
      response.writeHead(fails ? 500 : 200).end('x'.repeat(3_000));
    });
    let fails = true;
    await log();
    await deliveries(1);
    fails = false;
    await log();
    const entries = await deliveries(2);
    expect(entries.map(({ status, response }) => [status, response?.length ?? null])).toEqual([
      ['failed', 1024],
      ['succeeded', null],
    ]);
  });

  it('is charged to the organization and its maker', async () => {
    const { owner, organizationId, log, deliveries } = await subscriber(statuses(500, 200));
    await execute('update organization set maker_id = ? where id = ?', [owner.userId, organizationId]);
    await log();
    await deliveries(1);
    await logMany(organizationId, 40);
    await deliveries(41);
    server.services.limits.keptBytes.flush();
    for (const party of [`deliveries ${organizationId}`, `deliveries ${owner.userId}`]) {
      const key = `bytes_minute:${hashed(party)}`;
      const counted = async () => (await execute('select points from rate_limit where key = ?', [key]))[0]?.points;
      await expect.poll(counted).toBeGreaterThan(15);
    }
  });

  it('waits while the organization has used up the bytes that it can keep', async () => {
    const [spent, other] = [await subscriber(), await subscriber()];
    const party = { kind: 'deliveries', id: spent.organizationId } as const;
    server.services.limits.keptBytes.spend([party], 2 * 1024 * 1024);
    await spent.log();
    for (let each = 1; each <= 3; each += 1) {
      await other.log();
      await messagesOf(other.target, each);
    }
    expect(spent.target.received).toEqual([]);
  });

  it('has at most 100,000 entries of a webhook, whatever the sweep does', { timeout: 120_000 }, async () => {
    const { webhook, log, deliveries } = await subscriber();
    for (let from = 1; from < 100_000; from += 5_000)
      await execute(
        `insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, duration_ms, created_at, change, seq)
          select gen_random_uuid(), ?, gen_random_uuid(), 'event.changed', 1, 'failed', 1, now() - n * interval '10 s', '{}', n
          from generate_series(?::int, ?::int + 4999) n`,
        [webhook.id, from, from],
      );
    await execute('update webhook set logged = 100000 where id = ?', [webhook.id]);
    const id = await log();
    const kept = () =>
      execute(
        `select count(*)::int as n, count(*) filter (where change_id = ?)::int as own, max(seq)::int as oldest
          from webhook_delivery where webhook_id = ?`,
        [id, webhook.id],
      );
    await expect.poll(kept, { timeout: 20_000 }).toMatchObject([{ n: expect.any(Number), own: 1 }]);
    const [row] = await kept();
    expect(row?.n).toBe(99_000);
    expect(row?.oldest).toBe(98_999);
    expect(await execute('select logged from webhook where id = ?', [webhook.id])).toEqual([{ logged: 99_000 }]);
    await deliveries(1);
  });
});

it('a host gets at most 100 deliveries a second, from all webhooks, and others wait for none of them', async () => {
  const fast = await Promise.all([subscriber(), subscriber()]);
  const other = await subscriber(undefined, {}, { host: '127.0.0.2' });
  await Promise.all(fast.map(({ organizationId }) => logMany(organizationId, 250)));
  const received = () => fast.flatMap(({ target }) => target.received).map(({ at }) => at);
  await vi.waitFor(() => expect(received().length).toBeGreaterThanOrEqual(100), { timeout: 10_000, interval: 5 });
  expect(received().length).toBeLessThan(250);
  const waits: number[] = [];
  for (let each = 1; each <= 3; each += 1) {
    const began = Date.now();
    await other.log();
    await messagesOf(other.target, each, 3_000);
    waits.push(Date.now() - began);
    expect(received().length).toBeLessThan(500);
  }
  // one of them may wait for a second look at the log
  expect(waits.toSorted((one, two) => one - two)[1]).toBeLessThan(800);
  await vi.waitFor(() => expect(received()).toHaveLength(500), { timeout: 20_000, interval: 20 });
  const times = received().toSorted((one, two) => one - two);
  // they may take some time to arrive
  for (let each = 100; each < times.length; each += 1)
    expect((times[each] as number) - (times[each - 100] as number)).toBeGreaterThan(700);
});

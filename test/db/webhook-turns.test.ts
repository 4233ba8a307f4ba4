import { describe, expect, it, vi } from 'vitest';
import { holding } from '../support/locks.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { webhookWorld } from '../support/webhook-world.ts';
import { allowLoopback, messagesOf, readWebhook } from '../support/webhooks.ts';

// How webhooks share the places of deliveries, and what they read of the log meanwhile (note 0059).

const server = await serve({ env: allowLoopback });
const { execute, logMany, subscriber, laterDeliveries } = webhookWorld(server);

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
    const { target, owner, organizationId, webhook, log } = await subscriber();
    await execute(
      `insert into job (id, lane, kind, party, organization_id, key, data, due_at)
        select gen_random_uuid(), 'deliveries', 'delivery', ?, ?, 'event ' || n, jsonb_build_object('change', jsonb_build_object('id', gen_random_uuid())),
          now() + interval '1 hour' from generate_series(1, 10000) n`,
      [webhook.id, organizationId],
    );
    const id = await log();
    await laterDeliveries();
    expect(target.received).toEqual([]);
    expect(await readWebhook(server, owner, webhook)).toMatchObject({ pending: 1000 });
    await execute(`delete from job where lane = 'deliveries' and party = ?`, [webhook.id]);
    const [message] = await messagesOf(target, 1, 5_000);
    expect(message?.data.id).toBe(id);
  });

  it('does not copy a log that it is far behind', { timeout: 240_000 }, async () => {
    const { target, owner, organizationId, webhook } = await subscriber();
    await send(server, owner, `PATCH /webhooks/${webhook.id}`, { status: 'paused' });
    await logMany(organizationId, 1_500);
    expect((await readWebhook(server, owner, webhook)).pending).toBe(1000);
    let most = 0;
    await send(server, owner, `PATCH /webhooks/${webhook.id}`, { status: 'active' });
    await vi.waitFor(
      async () => {
        const [row] = await execute(`select count(*)::int as n from job where lane = 'deliveries' and party = ?`, [
          webhook.id,
        ]);
        most = Math.max(most, row?.n as number);
        expect(target.received.length).toBeGreaterThanOrEqual(1500);
      },
      { timeout: 200_000, interval: 5 },
    );
    expect(new Set(target.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1500);
    expect(target.received).toHaveLength(1500);
    expect(most).toBeLessThanOrEqual(200);
  });
});

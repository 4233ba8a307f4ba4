import { expect, it } from 'vitest';
import { serve } from '../support/server.ts';
import { allowLoopback, createWebhook, messagesOf, webhookWorld } from '../support/webhooks.ts';

const server = await serve({ env: allowLoopback });
const { logMany, subscriber } = webhookWorld(server);

it('endpoints that answer with 200 after 14 s keep nobody else waiting', { timeout: 120_000 }, async () => {
  const timers: NodeJS.Timeout[] = [];
  let isSlow = false;
  const slow = await Promise.all(
    [1, 2, 3, 4].map(() =>
      subscriber((response) => {
        if (isSlow) timers.push(setTimeout(() => response.end(), 14_000));
        else response.end();
      }),
    ),
  );
  const [known, fresh] = [await subscriber(), await subscriber()];
  for (const { owner, target } of slow)
    for (let more = 1; more < 16; more += 1) await createWebhook(server, owner, { url: target.url });
  // all have answered at once before
  for (const each of [...slow, known]) await each.log();
  await Promise.all(slow.map(({ target }) => messagesOf(target, 16)));
  await messagesOf(known.target, 1);
  isSlow = true;
  const flood = () => Promise.all(slow.map(({ organizationId }) => logMany(organizationId, 30)));
  await flood();
  await expect.poll(() => timers.length, { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(48);
  const waits: number[] = [];
  for (let each = 1; each <= 25; each += 1) {
    // the known one has got one before
    for (const [before, victim] of [fresh, known].entries()) {
      const began = Date.now();
      await victim.log();
      await messagesOf(victim.target, before + each);
      waits.push(Date.now() - began);
    }
  }
  for (const each of timers) clearTimeout(each);
  // far below the 14 s of the slow ones, also on a machine that is busy
  expect(waits.toSorted((one, two) => one - two)[Math.floor(waits.length * 0.95)]).toBeLessThan(5_000);
  expect(timers.length).toBeGreaterThanOrEqual(64);
});

import { afterAll, expect, it } from 'vitest';
import { type Breakable, startBreakable } from '../support/breakable.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertMember } from '../support/fixtures.ts';
import { query, send } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { startService } from '../support/started-service.ts';

const database = await shared(createTestDatabase());
/** Two ways to the database itself: replicas that lag behind nothing. */
const start = () => shared(startBreakable(database.url));
const ways: [Breakable, Breakable] = [await start(), await start()];
const dataDir = await sharedFolder();
const { email, organizationId } = await insertMember(database.orm, { role: 'manager' });
for (let index = 0; index < 3; index += 1) await insertEvent(database.orm, { organizationId });
const service = await startService(
  {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_REPLICA_URLS: ways.map(({ url }) => url).join(','),
  },
  (kill) => void afterAll(kill),
);
const caller = { accessToken: (await signIn(service.url, email)).accessToken, organizationId };

async function readMuch(): Promise<void> {
  const reads = Array.from({ length: 24 }, async (_, index) => {
    if (index % 3 === 0) {
      const list = await send<{ length: number }>(service, caller, 'GET /events');
      expect(list.status, list.text).toBe(200);
      return list.body.length;
    }
    if (index % 3 === 1) return (await send(service, caller, 'GET /events/count')).body;
    const data = await query<{ events: { nodes: unknown[] } }>(service, caller, '{ events { nodes { name } } }');
    return data.events.nodes.length;
  });
  expect(await Promise.all(reads)).toEqual(Array(24).fill(3));
}

async function readiness(): Promise<[number, string | null]> {
  const answer = await fetch(`${service.url}/readyz`);
  return [answer.status, answer.headers.get('x-replicas')];
}

it('lists, counts and GraphQL are answered while replicas die and come back, and /readyz and the log tell', async () => {
  await expect.poll(readiness).toEqual([200, '2/2']);
  await readMuch();
  await ways[0].cut();
  await readMuch();
  await expect.poll(readiness).toEqual([200, '1/2']);
  await readMuch();
  await ways[1].cut();
  await readMuch();
  await expect.poll(readiness).toEqual([200, '0/2']);
  expect(service.output().match(/the replica [^ ]+ does not respond, reads go elsewhere/g)).toHaveLength(2);
  await Promise.all(ways.map((way) => way.mend()));
  await expect.poll(readiness).toEqual([200, '2/2']);
  await readMuch();
  expect(service.output().match(/the replica [^ ]+ responds again/g)).toHaveLength(2);
});

it('the service stops gracefully while a replica hangs, even if reads wait for it', async () => {
  ways[0].silence();
  const reading = readMuch().catch(() => undefined);
  await expect.poll(readiness, { interval: 10 }).toEqual([200, '1/2']);
  const exit = await service.stop('SIGTERM');
  expect(exit, service.output()).toEqual([0, null]);
  await reading;
});

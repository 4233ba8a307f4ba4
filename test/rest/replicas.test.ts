import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Breakable, startBreakable } from '../support/breakable.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertMember } from '../support/fixtures.ts';
import { proxyPrograms, startProxy } from '../support/installed-programs.ts';
import { freePort, lacks } from '../support/programs.ts';
import { callerHeaders, query, send } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { inTest, shared, sharedFolder } from '../support/shared.ts';
import { secretSettings, startService } from '../support/started-service.ts';

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

const settings = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'http://127.0.0.1',
  ...secretSettings(),
  RATE_LIMIT: 'off',
  TRUST_PROXY: '1',
};

/** One request on a connection of the agent: its status, or why it failed. */
function ask(agent: Agent, url: string, headers: Record<string, string>, body?: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', (error) => resolve(error.message));
    });
    asked.on('error', (error) => resolve(error.message));
    asked.end(body);
  });
}

/** Reads and writes without a pause until told to stop; how often each outcome was seen. */
function startLoad(url: string, headers: Record<string, string>): { stop(): Promise<Record<string, number>> } {
  const outcomes: Record<string, number> = {};
  let stopped = false;
  const event = JSON.stringify({
    name: 'A rolling event',
    date_start: '2031-05-03T10:00:00Z',
    date_end: '2031-05-03T12:00:00Z',
  });
  const write = { ...headers, 'content-type': 'application/json' };
  const clients = Array.from({ length: 8 }, async (_, index) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopped) {
      const reads = index % 2 === 0;
      const outcome = reads
        ? await ask(agent, `${url}/events?limit=5`, headers)
        : await ask(agent, `${url}/events`, write, event);
      const name = `${reads ? 'read' : 'write'} ${outcome}`;
      outcomes[name] = (outcomes[name] ?? 0) + 1;
    }
    agent.destroy();
  });
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(clients);
      return outcomes;
    },
  };
}

describe.each(proxyPrograms)('two replicas behind $name', (program) => {
  it.skipIf(lacks(program.program))(
    'restart in turn under load, and no request fails',
    { timeout: 300_000 },
    async () => {
      const ports = [await freePort(), await freePort()] as const;
      const startReplica = (port: number) =>
        startService(
          { DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: String(port), ...settings },
          onTestFinished,
        );
      const replicas = [await startReplica(ports[0]), await startReplica(ports[1])];
      const proxy = await inTest(startProxy(program, ports));
      const { accessToken } = await signIn(proxy.url, email);
      const load = startLoad(proxy.url, callerHeaders({ accessToken, organizationId }));
      for (const [index, port] of [...ports.entries(), ...ports.entries()]) {
        await sleep(2_000);
        expect(await replicas[index]?.stop('SIGTERM')).toEqual([0, null]);
        replicas[index] = await startReplica(port);
      }
      await sleep(2_000);
      const outcomes = await load.stop();
      console.info(`${program.name}: ${JSON.stringify(outcomes)}`);
      expect(Object.keys(outcomes).sort(), proxy.output()).toEqual(['read 200', 'write 201']);
    },
  );
});

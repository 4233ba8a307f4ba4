import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOrm } from '../../src/db/orm.ts';
import { lacks } from '../support/find-program.ts';
import { insertMember } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { proxyPrograms, startProxy } from '../support/proxies.ts';
import { callerHeaders } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { inTest } from '../support/shared.ts';
import { prepareStarts, secretSettings } from '../support/started-service.ts';

const settings = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'http://127.0.0.1',
  ...secretSettings(),
  RATE_LIMIT: 'off',
  TRUST_PROXY: '1',
};

const starts = await prepareStarts();

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
        starts.start({ DATABASE_URL: starts.databaseUrl, PORT: String(port), ...settings });
      const replicas = [await startReplica(ports[0]), await startReplica(ports[1])];
      const orm = await createOrm({ url: starts.databaseUrl });
      const member = await insertMember(orm, { role: 'manager' });
      await orm.close(true);
      const proxy = await inTest(startProxy(program, ports));
      const { accessToken } = await signIn(proxy.url, member.email);
      const load = startLoad(proxy.url, callerHeaders({ accessToken, organizationId: member.organizationId }));
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

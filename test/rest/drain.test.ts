import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openRaw } from '../support/raw.ts';
import { startTestServer } from '../support/server.ts';
import { prepareStarts } from '../support/started-service.ts';

const { start, databaseUrl } = await prepareStarts();

/** Asks on a connection of an agent. */
function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => resolve(response.resume())).on('error', reject);
  });
}

const readiness = async (url: string) => {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.json()];
};

describe('with DRAIN_SECONDS', () => {
  it('serves on after SIGTERM or SIGINT while /readyz is 503, closes each connection with its answer, and ends with 0', async () => {
    // at the same time, since each takes seconds
    const drained = (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
      const service = await start({ DATABASE_URL: databaseUrl, DRAIN_SECONDS: '3' });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      expect((await ask(`${service.url}/healthz`, agent)).headers.connection).toBe('keep-alive');
      const signalled = performance.now();
      const stopped = service.stop(signal);
      await expect
        .poll(() => readiness(service.url))
        .toMatchObject([503, { code: 'SERVICE_UNAVAILABLE', obstacles: ['draining'] }]);
      // the connection that was open, and a new one
      for (const _ of [1, 2]) {
        const { statusCode, headers } = await ask(`${service.url}/openapi.json`, agent);
        expect([statusCode, headers.connection]).toEqual([200, 'close']);
      }
      await sleep(signalled + 2_000 - performance.now());
      expect((await fetch(`${service.url}/events`)).status).toBe(401);
      expect(await stopped).toEqual([0, null]);
      expect(performance.now() - signalled).toBeGreaterThan(3_000);
      await expect(fetch(`${service.url}/readyz`)).rejects.toThrow();
      agent.destroy();
    });
    await Promise.all(drained);
  });

  it('ends what waits for changes at the signal', async () => {
    const server = await startTestServer();
    const drained = server.drain(50);
    expect(server.services.changes.ending.aborted).toBe(true);
    await drained;
    await server.close();
  });
});

it('a request that follows its connection closely is answered although the service stops', async () => {
  const server = await startTestServer();
  const { hostname, port } = new URL(server.url);
  const { socket, ended } = await openRaw(server.url);
  // a request on another connection shows that the server has accepted the first
  await fetch(`${server.url}/healthz`);
  const stopped = server.close();
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  expect(await ended).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
  await stopped;
  const refused = connect(Number(port), hostname);
  await expect(new Promise((_resolve, reject) => refused.on('error', reject))).rejects.toThrow('ECONNREFUSED');
});

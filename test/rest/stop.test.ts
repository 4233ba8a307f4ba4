import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { holding, waitersFor } from '../support/locks.ts';
import { answersOf, openRaw, type RawConnection } from '../support/raw.ts';
import { startTestServer } from '../support/server.ts';
import { prepareStarts } from '../support/started-service.ts';

const { start, databaseUrl } = await prepareStarts();

describe('a stop', () => {
  it('waits for no connection that asks nothing', async () => {
    const other = await startTestServer();
    const { ended } = await openRaw(other.url);
    await fetch(`${other.url}/healthz`);
    const stopped = other.close();
    expect(await ended).toBe('');
    await stopped;
  });

  it('waits for the request in flight', async () => {
    const other = await startTestServer();
    const { socket, text } = await beginRequest(other.url);
    const stopped = other.close();
    socket.write('}');
    await stopped;
    expect(text()).toContain('VALIDATION_ERROR');
  });

  it('answers all that a connection has asked', async () => {
    const other = await startTestServer();
    const em = await holding(other, 'lock table "user" in access exclusive mode');
    const { socket, ended } = await openRaw(other.url);
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'long enough for one' });
    const head = `POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body}`.repeat(2));
    await expect.poll(() => waitersFor(other.orm, '"user"')).toBe(2);
    const stopped = other.close();
    await em.rollback();
    expect(answersOf(await ended).map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'close']);
    await stopped;
  });

  it('takes no further request of the connection', async () => {
    const other = await startTestServer();
    const { socket, ended } = await beginRequest(other.url);
    const stopped = other.close();
    socket.write('}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(answersOf(await ended)).toMatchObject([{ status: 400, headers: { connection: 'close' } }]);
    await stopped;
  });
});

/** Waits until a server of this process has read the headers of a request. */
async function untilRequest(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listen = () => resolve();
  subscribe('http.server.request.start', listen);
  await promise;
  unsubscribe('http.server.request.start', listen);
}

/** A request that is in flight until the last byte of its body, `}`, is written. */
async function beginRequest(url: string): Promise<RawConnection> {
  const connection = await openRaw(url);
  const begun = untilRequest();
  const head = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
  connection.socket.write(head);
  await begun;
  return connection;
}

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
  const { socket, ended } = await openRaw(server.url);
  // a request on another connection shows that the server has accepted the first
  await fetch(`${server.url}/healthz`);
  const stopped = server.close();
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  expect(await ended).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
  await stopped;
  await expect(openRaw(server.url)).rejects.toThrow('ECONNREFUSED');
});

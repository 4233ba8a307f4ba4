import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { waitersFor } from '../support/locks.ts';
import { answersOf, openRaw } from '../support/raw.ts';
import { startTestServer } from '../support/server.ts';

describe('a stop', () => {
  it('waits for no connection that asks nothing', async () => {
    const other = await startTestServer();
    const { hostname, port } = new URL(other.url);
    const silent = connect(Number(port), hostname);
    const closed = new Promise((resolve) => silent.on('close', resolve));
    await new Promise((resolve) => silent.on('connect', resolve));
    await fetch(`${other.url}/healthz`);
    const stopped = other.close();
    await closed;
    await stopped;
  });

  it('waits for the request in flight', async () => {
    const other = await startTestServer();
    const half = await beginRequest(other.url);
    const stopped = other.close();
    half.socket.write('}');
    await stopped;
    expect(half.answer()).toContain('VALIDATION_ERROR');
  });

  it('answers all that a connection has asked', async () => {
    const other = await startTestServer();
    const em = other.orm.em.fork();
    await em.begin();
    await em.execute('lock table "user" in access exclusive mode');
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
    const half = await beginRequest(other.url);
    const closed = new Promise((resolve) => half.socket.on('close', resolve));
    const stopped = other.close();
    half.socket.write('}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await closed;
    expect(half.answer().match(/^HTTP.*$/gm)).toEqual([expect.stringContaining(' 400 ')]);
    expect(half.answer().toLowerCase()).toContain('\nconnection: close');
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
async function beginRequest(url: string): Promise<{ socket: Socket; answer(): string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  const head = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
  const begun = untilRequest();
  socket.write(head);
  await begun;
  return { socket, answer: () => answer };
}

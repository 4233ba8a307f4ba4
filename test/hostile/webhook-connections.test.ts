import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AllowedTargets, createEndpointClient } from '#endpoint-client';
import { createPost } from '../../packages/endpoint-client/src/post.ts';
import { startedReceiver, startedSockets } from '../support/receiver.ts';
import { trustCertificate } from '../support/smtp-certificate.ts';

const loopback = new AllowedTargets(['127.0.0.0/8']);
const message = { headers: { 'webhook-id': 'one' }, body: '{}' };

/** Sends to one address, one request after the other. */
async function sendTimes(count: number, url: string) {
  const send = createEndpointClient({ allowed: loopback });
  const answers = [];
  for (let n = 0; n < count; n += 1) answers.push(await send({ ...message, url }));
  return answers;
}

/** A server that answers the first request of each connection, and does something else at the second one. */
async function answeringOnce(second: (socket: Socket) => void) {
  let requests = 0;
  const url = await startedSockets((socket) => {
    let own = 0;
    socket.on('data', (bytes) => {
      if (!bytes.toString().includes('POST ')) return;
      requests += 1;
      own += 1;
      if (own === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      else second(socket);
    });
  });
  return { url, requests: () => requests };
}

describe('a connection to an endpoint', () => {
  it('carries one request after the other', async () => {
    const { url, received, connections } = await startedReceiver();
    const answers = await sendTimes(4, url);
    expect(answers.every(({ delivered, response }) => delivered && response === 'ok')).toBe(true);
    expect(received).toHaveLength(4);
    expect(connections()).toBe(1);
  });

  it('lets go of the signal of its caller', async () => {
    const { url } = await startedReceiver();
    const { signal } = new AbortController();
    await createEndpointClient({ allowed: loopback })({ ...message, url }, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is used again over TLS', async () => {
    const { url, connections } = await startedReceiver(undefined, { tls: true });
    trustCertificate();
    expect((await sendTimes(3, url)).every(({ delivered }) => delivered)).toBe(true);
    expect(connections()).toBe(1);
  });

  it('carries one request at a time', async () => {
    const waiting: (() => void)[] = [];
    const { url, connections } = await startedReceiver((response) => {
      waiting.push(() => response.end());
      if (waiting.length === 3) for (const answer of waiting) answer();
    });
    const send = createEndpointClient({ allowed: loopback });
    const answers = await Promise.all([1, 2, 3].map(() => send({ ...message, url })));
    expect(answers.every(({ delivered }) => delivered)).toBe(true);
    expect(connections()).toBe(3);
  });

  it('is used again only for an address that was checked for the next request', async () => {
    const { url, connections } = await startedReceiver();
    const post = createPost();
    const send = (addresses: string[], signal = new AbortController().signal) =>
      post(new URL(url), message, addresses, signal);
    await send(['127.0.0.1']);
    await send(['127.0.0.2', '127.0.0.1']);
    expect(connections()).toBe(2);
    await send(['127.0.0.1', '127.0.0.2']);
    await send(['127.0.0.1']);
    expect(connections()).toBe(2);
  });

  it.each([
    ['with the answer', { connection: 'close' }, false],
    ['without a word after it', {}, true],
  ])('that the endpoint closes %s costs no message', async (_when, headers, abruptly) => {
    const { url, received } = await startedReceiver((response) => {
      const { socket } = response;
      response.writeHead(200, headers).end('ok', () => {
        if (abruptly) setImmediate(() => socket?.destroy());
      });
    });
    expect((await sendTimes(5, url)).map(({ delivered }) => delivered)).toEqual(Array(5).fill(true));
    expect(received).toHaveLength(5);
  });

  it('that ends under a second request sends it again over a new one, once', async () => {
    const { url, requests } = await answeringOnce((socket) => socket.destroy());
    expect((await sendTimes(2, url)).map(({ delivered }) => delivered)).toEqual([true, true]);
    expect(requests()).toBe(3);
  });

  it.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['101', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('over which an answer has begun is not asked a second time: %s', async (_what, bytes) => {
    const { url, requests } = await answeringOnce((socket) =>
      socket.write(bytes, () => setTimeout(() => socket.destroy(), 50)),
    );
    expect((await sendTimes(2, url)).map(({ delivered }) => delivered)).toEqual([true, false]);
    expect(requests()).toBe(2);
  });

  it.each([
    ['an endless body', 100_000],
    ['a body that is longer than what is read', 5_000],
  ])('is closed after %s', async (_what, length) => {
    const { url, received, connections } = await startedReceiver((response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write('x'.repeat(length));
    });
    await sendTimes(2, url);
    expect(received).toHaveLength(2);
    expect(connections()).toBe(2);
  });
});

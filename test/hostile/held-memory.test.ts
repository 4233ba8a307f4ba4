import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HttpServer } from '#bounded-http';
import { Exchange } from '../../src/http/exchange.ts';
import { openRaw, type RawConnection } from '../support/raw.ts';

const mebibyte = 1024 * 1024;
const lines: string[] = [];
let http: HttpServer;
let url: string;

/** A server of answers of any size, whose only bound is that on memory. */
async function start(
  bufferBytes: number,
  handle: RequestListener = (request, response) => void response.end(Buffer.alloc(Number(request.url?.slice(1)))),
): Promise<void> {
  const long = { headersTimeout: 60_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 };
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  http = new HttpServer({
    bounds: { ...long, maxConnections: 1000, maxConnectionsPerNetwork: 1000, bufferBytes },
    trustProxy: false,
    log,
    bodyLimit: () => 100 * 1024,
    addressOf: (given) => given ?? null,
    networksOf: (ip) => [ip],
    open: (request, response, ip) => new Exchange(request, response, { ip, log }),
    handle: ({ request, response }) => handle(request, response),
  });
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  lines.splice(0);
  onTestFinished(() => http.close());
}

async function send(text: string): Promise<RawConnection> {
  const connection = await openRaw(url);
  onTestFinished(() => void connection.socket.destroy());
  connection.socket.pause();
  connection.socket.write(text);
  return connection;
}

const cutOff = () => lines.filter((line) => line.includes('used too much memory')).length;

/** Waits until a request that was sent in part, if not as a whole, is answered. */
async function answered({ socket, text }: RawConnection, rest = ''): Promise<void> {
  socket.resume();
  socket.write(rest);
  await expect.poll(text).toMatch(/content-length: 10/i);
}

it('answers that clients do not read hold no more than is set: the largest are given up', async () => {
  await start(100 * mebibyte);
  const before = await send('GET /10 HTTP/1.1\r\nhost: x\r\n\r\n');
  // far more than the system takes over
  for (let index = 0; index < 10; index += 1) await send(`GET /${30 * mebibyte} HTTP/1.1\r\nhost: x\r\n\r\n`);
  const after = await send('GET /10 HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(cutOff).toBeGreaterThan(4);
  for (const small of [before, after]) await answered(small);
  expect(cutOff()).toBeLessThan(10);
});

it('headers that do not end hold no more than is set: the largest are given up', async () => {
  await start(mebibyte);
  const small = await send('GET /10 HTTP/1.1\r\nhost: x\r\n');
  for (let index = 0; index < 40; index += 1) await send(`GET /10 HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(60_000)}`);
  await expect.poll(cutOff).toBeGreaterThan(20);
  await answered(small, '\r\n');
  await answered(await send('GET /10 HTTP/1.1\r\nhost: x\r\n\r\n'));
  expect(cutOff()).toBeLessThan(30);
});

describe('bodies behind a request that takes long', () => {
  let slow: ServerResponse[];
  let served: number;
  beforeEach(async () => {
    slow = [];
    served = 0;
    await start(mebibyte, (request, response) => {
      if (request.url === '/slow') slow.push(response);
      else response.end();
      served += 1;
    });
  });

  const body = (length: number) =>
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length)}`;
  const pipelined = (count: number) => `GET /slow HTTP/1.1\r\nhost: x\r\n\r\n${body(100_000).repeat(count)}`;
  const answers = ({ text }: RawConnection) => text().match(/HTTP\/1\.1 200/g)?.length ?? 0;
  const givenUp = () => lines.filter((line) => line.includes('Too many request bodies are arriving at once.')).length;

  /** Sends it and waits until all of its requests are with the handler. */
  async function queue(count: number): Promise<RawConnection> {
    const expected = served + count + 1;
    const connection = await send(pipelined(count));
    connection.socket.resume();
    await expect.poll(() => served).toBe(expected);
    return connection;
  }

  it('hold no more than is set: the oldest connections are given up, and others are served', async () => {
    const queues: RawConnection[] = [];
    for (let index = 0; index < 10; index += 1) queues.push(await queue(4));
    const open = () => queues.map(({ socket }) => !socket.closed);
    // 4 MB came; ten bodies of 100 KB are what there is room for
    await expect.poll(() => open().filter(Boolean).length).toBeLessThan(4);
    expect(open().slice(-2)).toEqual([true, true]);
    expect(givenUp()).toBeGreaterThan(5);
    const other = await send(body(100_000));
    other.socket.resume();
    await expect.poll(() => answers(other)).toBe(1);
    for (const response of slow) response.end();
    for (const each of queues.slice(-2)) await expect.poll(() => answers(each)).toBe(5);
  });

  it('leave the memory with their answers', async () => {
    for (let round = 0; round < 4; round += 1) {
      const connection = await queue(8);
      slow.pop()?.end();
      await expect.poll(() => answers(connection)).toBe(9);
    }
    expect(givenUp()).toBe(0);
  });
});

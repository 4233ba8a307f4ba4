import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { type HttpExchange, HttpServer, type HttpServerOptions } from '../src/index.ts';

const minute = 60_000;

async function start(options: Pick<HttpServerOptions, 'handle'> & Partial<HttpServerOptions>) {
  const warnings: string[] = [];
  const log = (_fields: object, message: string) => void warnings.push(message);
  const http = new HttpServer({
    bounds: {
      ...{ headersTimeout: minute, requestTimeout: minute, keepAliveTimeout: 5_000 },
      ...{ maxConnections: 1_000, maxConnectionsPerNetwork: 1_000, bufferBytes: 1_000_000 },
    },
    trustProxy: false,
    log: { warn: log, error: log },
    bodyLimit: () => 1_000,
    addressOf: (given) => given ?? null,
    networksOf: (ip) => [ip],
    ...options,
  });
  await once(http.server.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.server.address() as AddressInfo;
  return { http, port, url: `http://127.0.0.1:${port}`, warnings };
}

it('hands on a complete body, and the fault of one that is too large', async () => {
  const { http, url } = await start({
    handle: ({ response, body }) => response.writeHead(body ? 200 : 413).end(body ?? 'too large'),
  });
  const post = async (body: string) => await (await fetch(url, { method: 'POST', body })).text();
  expect(await post('x'.repeat(1_000))).toBe('x'.repeat(1_000));
  expect(await post('x'.repeat(1_001))).toBe('too large');
  await http.close();
});

it('keeps requests until its handler is ready', async () => {
  const handle = Promise.withResolvers<(exchange: HttpExchange) => unknown>();
  const { http, url } = await start({ handle: handle.promise });
  const answer = fetch(url);
  await once(http.server, 'request');
  handle.resolve(({ response }) => response.end('ready'));
  expect(await (await answer).text()).toBe('ready');
  await http.close();
});

it('hands on what is not HTTP as a fault', async () => {
  const { http, port } = await start({
    handle: ({ response, fault }) => response.writeHead(fault?.status ?? 200).end(fault?.message),
  });
  const socket = connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nhost : x\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*This is not a well-formed HTTP request\.$/s);
  await http.close();
});

it('a write after the end of a response is logged, and does not end the process', async () => {
  const { http, url, warnings } = await start({
    handle: ({ response }) => {
      response.end('the whole');
      response.write('and more');
    },
  });
  for (let request = 0; request < 2; request += 1) expect(await (await fetch(url)).text()).toBe('the whole');
  expect(warnings).toEqual(['a response failed', 'a response failed']);
  await http.close();
});

/** Sends requests on connections of their own from another thread, and reports their outcomes. */
const clients = `
  import { request } from 'node:http';
  import { parentPort, workerData } from 'node:worker_threads';
  const ask = () => new Promise((resolve) => {
    const asked = request({ port: workerData.port, method: 'POST', agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    asked.on('error', (error) => resolve(error.code)).end();
    asked.on('socket', (socket) => socket.once('connect', () => {
      Atomics.add(workerData.connected, 0, 1);
      Atomics.notify(workerData.connected, 0);
    }));
  });
  const outcomes = await Promise.all(Array.from({ length: workerData.count }, ask));
  parentPort.postMessage(outcomes);
`;

it('a stop resets none of the connections that wait to be accepted', async () => {
  const { http, port } = await start({ handle: ({ response }) => response.end('served') });
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port, count: 40, connected };
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(clients)}`), { workerData });
  const outcomes = once(worker, 'message');
  await once(worker, 'online');
  // this thread accepts none until all of them wait
  for (let count = 0; count < 40; count = Atomics.load(connected, 0)) Atomics.wait(connected, 0, count);
  await http.close();
  expect((await outcomes)[0]).toEqual(Array.from({ length: 40 }, () => 200));
});

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { readSettings } from '../../src/config/settings.ts';
import { HttpServer } from '../../src/http/server.ts';

it('a write after the end of a response is logged, and does not end the process', async () => {
  const failures: string[] = [];
  const ignore = () => undefined;
  const http = new HttpServer({
    bounds: readSettings({ NODE_ENV: 'test' }).bounds.http,
    trustProxy: false,
    log: { debug: ignore, info: ignore, warn: ignore, error: (_, message) => void failures.push(message) },
    bodyLimit: () => 0,
    handle: (_request, response) => {
      response.end('the whole');
      response.write('and more');
    },
  });
  const { server } = http;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (let request = 0; request < 2; request += 1) {
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('the whole');
  }
  expect(failures).toEqual(['a response failed', 'a response failed']);
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
  const ignore = () => undefined;
  const http = new HttpServer({
    bounds: { ...readSettings({ NODE_ENV: 'test' }).bounds.http, maxConnectionsPerNetwork: 1_000 },
    trustProxy: false,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    bodyLimit: () => 0,
    handle: (_request, response) => {
      response.end('served');
    },
  });
  const { server } = http;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
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

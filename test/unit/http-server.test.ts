import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { readSettings } from '../../src/config/settings.ts';
import { createHttpServer } from '../../src/http/server.ts';

it('a write after the end of a response is logged, and does not end the process', async () => {
  const failures: string[] = [];
  const ignore = () => undefined;
  const { server, connections } = createHttpServer({
    bounds: readSettings({ NODE_ENV: 'test' }).bounds.http,
    trustProxy: false,
    log: { debug: ignore, info: ignore, warn: ignore, error: (_, message) => void failures.push(message) },
    presentRefusal: () => ({ headers: {}, body: '' }),
    bodyLimit: () => 0,
    handler: Promise.resolve((_request, response) => {
      response.end('the whole');
      response.write('and more');
    }),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (let request = 0; request < 2; request += 1) {
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('the whole');
  }
  expect(failures).toEqual(['a response failed', 'a response failed']);
  await connections.close();
});

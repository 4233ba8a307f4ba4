import { Server } from 'node:http';
import { expect, it } from 'vitest';
import { serve } from '../support/server.ts';

const server = await serve();

/** The server of this process that listens where the service does. */
function listener(): Server {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const isOurs = (handle: unknown): handle is Server => {
    if (!(handle instanceof Server)) return false;
    const address = handle.address();
    return typeof address === 'object' && String(address?.port) === new URL(server.url).port;
  };
  return handles.find(isOurs) as Server;
}

// Node.js emits what `accept` refuses, for example for lack of memory; without a listener that ends the process
it('connections that could not be accepted are logged, and the next one is served', async () => {
  const error = Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' });
  for (const emitter of [listener(), listener()]) emitter.emit('error', error);
  const failures = server.logLines.filter((line) => line.includes('a connection could not be accepted'));
  expect(failures).toHaveLength(2);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

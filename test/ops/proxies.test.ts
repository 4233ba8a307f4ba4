import { describe, expect, it } from 'vitest';
import { proxyPrograms, startProxy } from '../support/installed-programs.ts';
import { lacks } from '../support/programs.ts';
import { startedReceiver } from '../support/receiver.ts';
import { inTest } from '../support/shared.ts';

/** Stands for two replicas: says the same as they do where the proxy asks, and names each response. */
const startReplica = () =>
  startedReceiver(
    (response) => void response.writeHead(200, { 'x-request-id': 'of-the-service', connection: 'close' }).end('true'),
  );

/** A proxy before two of them, which end with the test. */
async function start(program: (typeof proxyPrograms)[number]) {
  const replicas = [await startReplica(), await startReplica()] as const;
  return { replicas, proxy: await inTest(startProxy(program, [replicas[0].port, replicas[1].port])) };
}

describe.each(proxyPrograms)('$name', (program) => {
  it.skipIf(lacks(program.program))('logs each request, with the id that the log of the service has', async () => {
    const { proxy } = await start(program);
    await fetch(`${proxy.url}/events?limit=1`);
    await expect.poll(proxy.output).toMatch(/GET \/events\?limit=1 .*of-the-service|of-the-service.*GET \/events/);
  });
});

const haproxy = proxyPrograms.filter(({ name }) => name === 'HAProxy');
it.skipIf(lacks('haproxy')).each(haproxy)(
  '$name without a replica answers as the service would: a problem with a code, and when to ask again',
  async (program) => {
    const { proxy, replicas } = await start(program);
    for (const each of replicas) await each.close();
    await expect.poll(async () => (await fetch(`${proxy.url}/events`)).status).toBe(503);
    const answer = await fetch(`${proxy.url}/events`);
    const id = String(answer.headers.get('x-request-id'));
    expect([answer.headers.get('content-type'), answer.headers.get('retry-after'), await answer.json()]).toEqual([
      'application/problem+json',
      '2',
      {
        type: 'about:blank',
        title: 'The service is not available right now.',
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        detail: 'No replica of the service takes requests at the moment.',
        request_id: id,
      },
    ]);
    expect(id).toMatch(/^[\da-f-]{36}$/);
    await expect.poll(proxy.output).toContain(id);
  },
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Breakable, startBreakable } from '../support/breakable.ts';
import { childEnv } from '../support/child-env.ts';
import { freePort } from '../support/free-port.ts';
import { prepareStarts } from '../support/started-service.ts';

const starts = await prepareStarts();
const start = (env: Record<string, string>) => starts.start({ DATABASE_URL: starts.databaseUrl, ...env });

const statusOf = async (url: string) => (await fetch(url).catch(() => null))?.status;

describe('the service outlives its log', () => {
  it('on a full disk', async () => {
    const full = await open('/dev/full', 'w');
    const port = await freePort();
    const service = spawn(process.execPath, [fileURLToPath(import.meta.resolve('../../src/main/server.ts'))], {
      env: { ...childEnv, PORT: String(port), DATA_DIR: starts.dataDir, DATABASE_URL: starts.databaseUrl },
      stdio: ['ignore', full.fd, 'inherit'],
    });
    starts.killLater(() => void service.kill('SIGKILL'));
    const ended = once(service, 'exit');
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => service.exitCode ?? statusOf(`${url}/readyz`)).toBe(200);
    // more than it keeps before it writes
    for (let request = 0; request < 30; request += 1) expect(await statusOf(`${url}/events`)).toBe(401);
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await full.close();
  });

  it('if nobody reads the pipe any more', async () => {
    const service = await start({});
    service.log.pause();
    // a pipe takes 64 KiB
    const line = `${service.url}/${'long'.repeat(1_000)}`;
    for (let request = 0; request < 60; request += 1) expect(await statusOf(line)).toBe(404);
    expect(await service.stop('SIGTERM')).toEqual([0, null]);
  });

  it('if the other end of the pipe is gone', async () => {
    const service = await start({});
    service.log.destroy();
    for (let request = 0; request < 30; request += 1) expect(await statusOf(`${service.url}/events`)).toBe(401);
    expect(await service.stop('SIGTERM')).toEqual([0, null]);
  });
});

it('exits with 0 however many stop signals it gets', async () => {
  const service = await start({});
  const stopped = service.stop('SIGTERM');
  const further = setInterval(() => process.kill(service.pid, 'SIGTERM'), 1);
  stopped.finally(() => clearInterval(further));
  expect(await stopped).toEqual([0, null]);
});

describe('beside a database that hangs', () => {
  let way: Breakable;
  beforeAll(async () => {
    way = await startBreakable(starts.databaseUrl);
  });
  afterEach(() => way.mend());
  afterAll(() => way.close());

  it('a stop waits for none of the idle connections', async () => {
    // jobs wait for their statements, as long as these may take
    const service = await start({ DATABASE_URL: way.url, WRITE_TIMEOUT_SECONDS: '3', READ_TIMEOUT_SECONDS: '3' });
    expect(await statusOf(`${service.url}/readyz`)).toBe(200);
    way.silence();
    expect(await service.stop('SIGTERM')).toEqual([0, null]);
    expect(service.output()).not.toContain('stopping without the database');
  });

  it('a stop ends requests that wait for it, and then itself', async () => {
    const service = await start({ DATABASE_URL: way.url, RATE_LIMIT: 'off' });
    way.silence();
    const asked = Array.from({ length: 8 }, () =>
      fetch(`${service.url}/public/events`, { headers: { 'x-organization-id': crypto.randomUUID() } }).catch(
        () => null,
      ),
    );
    await expect.poll(() => statusOf(`${service.url}/healthz`)).toBe(200);
    expect(await service.stop('SIGTERM')).toEqual([0, null]);
    const statuses = (await Promise.all(asked)).map((answer) => answer?.status);
    for (const status of statuses) expect([undefined, 503]).toContain(status);
  });
});

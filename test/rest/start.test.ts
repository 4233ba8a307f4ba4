import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPassword } from '../../src/db/demo/demo.ts';
import { startBreakable } from '../support/breakable.ts';
import { childEnv, freePort } from '../support/programs.ts';
import { expectCode } from '../support/send.ts';
import { post, refreshWith } from '../support/server.ts';
import { folderInTest, shared } from '../support/shared.ts';
import { failureOf, prepareStarts } from '../support/started-service.ts';

const { start, databaseUrl, dataDir, killLater } = await prepareStarts();
const usual = { DATABASE_URL: databaseUrl };

it.each(['SIGTERM', 'SIGINT'] as const)(
  'serves what it is given, names nobody, and ends with 0 on %s',
  async (signal) => {
    const service = await start({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' });
    expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({ ready: true, database: 'reachable' });
    expect(await service.stop(signal)).toEqual([0, null]);
    expect(service.output().match(/"ready on /g)).toHaveLength(1);
    expect(service.output()).not.toContain('demo.example');
    await expect(fetch(`${service.url}/readyz`)).rejects.toThrow();
  },
);

it('shows the accounts of the demo on a database of its own, and they work', async () => {
  const service = await start({});
  await expect.poll(service.output).toMatch(/Get an access token/);
  for (const [, email, password] of service.output().matchAll(/^ {2}\w+ +(\S+@demo\.example) +(\S+)$/gm)) {
    const answer = await post(`${service.url}/auth/login`, { email, password });
    expect([email, answer.status]).toEqual([email, 200]);
  }
  expect(service.output().match(/@demo\.example +\S+$/gm)).toHaveLength(3);
  const steps = [...service.output().matchAll(/"msg":"([^"]+)"/g)].map(([, step]) => step);
  expect(steps.slice(0, 6)).toEqual([
    'opening the database',
    expect.stringMatching(/^making a PostgreSQL database in \//),
    'starting PostgreSQL, unless it runs already',
    'making the tables',
    'making the demo: two organizations, their events and subscriptions',
    expect.stringMatching(/^ready on /),
  ]);
  expect(service.output()).toMatch(/^ {2}Begin {4}http:\/\/localhost:\d+ /m);
  expect(service.output()).toContain(`${service.url.replace('127.0.0.1', 'localhost')}/dev/mailbox`);
  expect((await fetch(`${service.url}/dev/mailbox`)).status).toBe(200);
  expect(await service.stop('SIGTERM')).toEqual([0, null]);
});

it('does not start in production without secrets and a public URL, and names all of them at once', async () => {
  const { code, last } = await failureOf(start({ NODE_ENV: 'production', COOKIE_SECRET: 'short' }));
  expect([code, last]).toEqual([1, expect.stringMatching(/^The settings are not valid:/)]);
  for (const name of ['PUBLIC_URL', 'COOKIE_SECRET', 'CURSOR_SECRET', 'ENCRYPTION_KEY', 'JWT_PRIVATE_KEY']) {
    expect(last).toMatch(new RegExp(`^ +${name}: `, 'm'));
  }
});

it.each(['140023', '190001'])('does not start on another PostgreSQL: server_version_num %s', async (number) => {
  const way = await startBreakable(databaseUrl, (client) => ({
    toClient: (bytes) => {
      const text = bytes.toString('latin1');
      client.write(Buffer.from(text.replace(/(?<!\d)1[5-8]\d{4}(?!\d)/, number), 'latin1'));
    },
  }));
  const { code, last, output } = await failureOf(start({ DATABASE_URL: way.url }));
  await way.close();
  expect([code, last]).toEqual([
    1,
    expect.stringMatching(/^The database is PostgreSQL .+ supports PostgreSQL 15, 16, 17, 18\.$/),
  ]);
  expect(output.trim().split('\n').at(-1)).toContain('"level":60');
});

describe('the port of the metrics', () => {
  it('stops the start if it is taken: its last line says so, with nothing failing behind it', async () => {
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    const { code, last, output } = await failureOf(start({ DATABASE_URL: databaseUrl, METRICS_PORT: String(port) }));
    holder.close();
    expect([code, last]).toEqual([1, expect.stringContaining(`Cannot serve metrics on 127.0.0.1:${port}`)]);
    expect(output).not.toContain('"stack"');
  });

  it('is free for the next process once the old one refuses connections, while it still finishes a request', async () => {
    const [port, metrics] = [String(await freePort()), String(await freePort())];
    const env = { DATABASE_URL: databaseUrl, PORT: port, METRICS_PORT: metrics };
    const old = await start(env);
    const slow = connect(Number(port), '127.0.0.1');
    await once(slow, 'connect');
    slow.on('error', () => undefined);
    slow.write('POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{');
    await expect.poll(() => statusOf(`${old.url}/healthz`)).toBe(200);
    const ended = old.stop('SIGTERM');
    await expect.poll(() => statusOf(`${old.url}/healthz`)).toBeUndefined();
    const next = await start(env);
    expect((await fetch(`http://127.0.0.1:${metrics}/metrics`)).status).toBe(200);
    slow.destroy();
    expect(await ended).toEqual([0, null]);
    await next.stop('SIGTERM');
  });
});

describe('beside an https PUBLIC_URL', () => {
  const publicUrl = { PUBLIC_URL: 'https://events.example.org' };
  let own: string;
  beforeEach(async () => {
    own = await folderInTest();
  });

  it('creates and prints no demo accounts, and shows no mailbox', async () => {
    const service = await start({ DATA_DIR: own, ...publicUrl });
    const answer = await post(`${service.url}/auth/login`, { email: 'owner@demo.example', password: demoPassword });
    expectCode(answer, 400, 'INVALID_CREDENTIALS');
    expect((await fetch(`${service.url}/dev/mailbox`)).status).toBe(404);
    await service.stop('SIGTERM');
    expect(service.output()).not.toMatch(/Demo accounts|Mails /);
  });

  it('locks the demo accounts of an earlier start, and no account with its own password', {
    timeout: 180_000,
  }, async () => {
    const service = await start({ DATA_DIR: own });
    const signIn = (url: string, name: string, password: string) =>
      post(`${url}/auth/login`, { email: `${name}@demo.example`, password });
    const { access_token: token } = (await signIn(service.url, 'owner', demoPassword)).body;
    const changed = await post(
      `${service.url}/auth/change-password`,
      { current_password: demoPassword, password: 'a password of my own' },
      { authorization: `Bearer ${token}` },
    );
    expect(changed.status).toBe(200);
    const member = await signIn(service.url, 'member', demoPassword);
    const cookie = member.headers.getSetCookie()[0]?.split(';')[0] as string;
    await service.stop('SIGTERM');

    const exposed = await start({ DATA_DIR: own, ...publicUrl });
    expect((await signIn(exposed.url, 'owner', 'a password of my own')).status).toBe(200);
    for (const name of ['manager', 'member']) {
      expect([name, (await signIn(exposed.url, name, demoPassword)).status]).toEqual([name, 400]);
    }
    expect((await refreshWith(exposed.url, cookie)).status).toBe(401);
    await exposed.stop('SIGTERM');
    expect(exposed.output()).toMatch(/locked, because their password is public: manager@.+, member@/);
  });
});

const statusOf = async (url: string) => (await fetch(url).catch(() => null))?.status;

describe('the service outlives its log', () => {
  it('on a full disk', async () => {
    const full = await open('/dev/full', 'w');
    const port = await freePort();
    const service = spawn(process.execPath, [fileURLToPath(import.meta.resolve('../../src/main/server.ts'))], {
      env: { ...childEnv, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
      stdio: ['ignore', full.fd, 'inherit'],
    });
    killLater(() => void service.kill('SIGKILL'));
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
    const service = await start(usual);
    service.log.pause();
    // a pipe takes 64 KiB
    const line = `${service.url}/${'long'.repeat(1_000)}`;
    for (let request = 0; request < 60; request += 1) expect(await statusOf(line)).toBe(404);
    expect(await service.stop('SIGTERM')).toEqual([0, null]);
  });

  it('if the other end of the pipe is gone', async () => {
    const service = await start(usual);
    service.log.destroy();
    for (let request = 0; request < 30; request += 1) expect(await statusOf(`${service.url}/events`)).toBe(401);
    expect(await service.stop('SIGTERM')).toEqual([0, null]);
  });
});

it('exits with 0 however many stop signals it gets', async () => {
  const service = await start(usual);
  const stopped = service.stop('SIGTERM');
  const further = setInterval(() => process.kill(service.pid, 'SIGTERM'), 1);
  stopped.finally(() => clearInterval(further));
  expect(await stopped).toEqual([0, null]);
});

describe('beside a database that hangs', async () => {
  const way = await shared(startBreakable(databaseUrl));
  afterEach(() => way.mend());

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

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findAccount, launchAs } from '../src/account.ts';
import { run } from '../src/cluster.ts';
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from '../src/index.ts';

const isRoot = process.getuid?.() === 0;
const settings = { fsync: 'off', shared_buffers: '16MB', timezone: 'UTC' };
const initdb = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
/** A process that uses the database until its input ends, or until it is killed. */
const elsewhere = [
  '--input-type=module',
  '--eval',
  `import { startEmbedded } from './packages/embedded-postgres/src/index.ts';
  const server = await startEmbedded({ folder: process.argv[1] + '/postgres', name: 'test' });
  process.stdout.write(server.url + '\\n');
  process.stdin.once('end', () => server.stop()).resume();`,
  '--',
];

let dataDir: string;
let servers: EmbeddedServer[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'embedded-postgres-'));
  await chmod(dataDir, 0o755);
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.allSettled(servers.map((server) => server.stop()));
  if (isRunning()) await (await startEmbedded(optionsFor(dataDir))).stop();
  // an initdb whose starter was killed may still write
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

async function start(dir = dataDir): Promise<EmbeddedServer> {
  const server = await startEmbedded(optionsFor(dir));
  servers.push(server);
  return server;
}

function optionsFor(dir: string): EmbeddedOptions {
  return { folder: path.join(dir, 'postgres'), name: 'test', settings, initdb };
}

/** Starts it in another process. */
async function startElsewhere(): Promise<{ url: string; child: ChildProcess; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [...elsewhere, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  const stop = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { url: String(line).trim(), child, stop };
}

const pidFile = () => path.join(dataDir, 'postgres/data/postmaster.pid');
const isRunning = () => existsSync(pidFile());
const postmaster = async () => Number((await readFile(pidFile(), 'utf8')).split('\n')[0]);

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('startEmbedded', () => {
  test('starts on an empty folder, and again with the rows that were there', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 7 as value');
    await first.stop();
    expect(isRunning()).toBe(false);
    const second = await start();
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  test('listens on this machine alone, asks for a password, and speaks UTF-8 and UTC', async () => {
    const { url, superuserUrl } = await start();
    const [settings] = await query(
      superuserUrl,
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
        current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, lower('ÄΣ') as lower`,
    );
    expect(settings).toEqual({ addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', zone: 'UTC', lower: 'äσ' });
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(path.join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
  });

  test('agrees on one server if several processes start at the same moment on an empty folder', async () => {
    const all = await Promise.all([startElsewhere(), startElsewhere(), start()]);
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    expect(await query(all[2].url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).toEqual(['postgres']);
  }, 60_000);

  test('leaves the server to the process that it belongs to, and it stops with that', async () => {
    const service = await startElsewhere();
    const command = await start();
    expect(command.url).toBe(service.url);
    await command.stop();
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await service.stop();
    expect(isRunning()).toBe(false);
  }, 60_000);

  test('takes over the server that a killed process left behind', async () => {
    const service = await startElsewhere();
    service.child.kill('SIGKILL');
    await once(service.child, 'exit');
    const next = await start();
    expect(next.url).toBe(service.url);
    await next.stop();
    expect(isRunning()).toBe(false);
  }, 60_000);

  test('recovers from a server that was killed', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 7 as value');
    const pid = await postmaster();
    process.kill(pid, 'SIGKILL');
    const second = await start();
    expect(await postmaster()).not.toBe(pid);
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
    await Promise.all([first.stop(), second.stop()]);
    expect(isRunning()).toBe(false);
  }, 60_000);

  test('comes back on its last port, where clients look for it, or on another if that is taken', async () => {
    const first = await start();
    const { port } = new URL(first.url);
    await first.stop();
    const second = await start();
    expect(new URL(second.url).port).toBe(port);
    await second.stop();
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    const third = await start();
    expect(new URL(third.url).port).not.toBe(port);
    expect(await query(third.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    other.close();
  }, 60_000);

  test('starts although the process id of a killed server was given to another process', async () => {
    const first = await start();
    await first.stop();
    const { uid, gid } = statSync(path.join(dataDir, 'postgres/data'));
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    children.push(other);
    const lines = [other.pid, path.join(dataDir, 'postgres/data'), 1, 1, '', '127.0.0.1', '', 'ready'];
    await writeFile(pidFile(), `${lines.join('\n')}\n`);
    const second = await start();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(other.exitCode).toBeNull();
  }, 60_000);

  test('ignores and removes what an interrupted first start left behind', async () => {
    const dead = spawn('true');
    await once(dead, 'exit');
    await mkdir(path.join(dataDir, `postgres.new-${dead.pid}-abcd/data`), { recursive: true });
    await mkdir(path.join(dataDir, 'postgres.new-and-somebody-elses'));
    await start();
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.new-and-somebody-elses']);
  });

  test('starts again after the first start was killed at any moment', async () => {
    for (const delay of [150, 400, 700, 1000]) {
      const child = spawn(process.execPath, [...elsewhere, dataDir], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      await sleep(delay);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  }, 60_000);

  test('explains what is wrong with a folder that is not a database', async () => {
    await mkdir(path.join(dataDir, 'postgres/data'), { recursive: true });
    await writeFile(path.join(dataDir, 'postgres/data/PG_VERSION'), '18');
    if (isRoot) execFileSync('chown', ['-R', 'nobody', path.join(dataDir, 'postgres')]);
    await expect(start()).rejects.toThrow(/postgres is not a database of this service/);
  });

  test("reports the end of the server's log if it does not start", async () => {
    await (await start()).stop();
    const file = path.join(dataDir, 'postgres/data/postgresql.conf');
    await writeFile(file, `${await readFile(file, 'utf8')}\nno_such_setting = 1\n`);
    await expect(start()).rejects.toThrow(/did not start.*no_such_setting/s);
  });

  test.runIf(isRoot)('runs as another user than root, even in a folder that this user cannot reach', async () => {
    const hidden = path.join(dataDir, 'hidden');
    await mkdir(hidden, { mode: 0o700 });
    const server = await start(path.join(hidden, 'data'));
    const [row] = await query(server.superuserUrl, `select pg_read_file('/proc/self/status') as status`);
    const status = String((row as { status: string }).status);
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).not.toBe('0');
    await server.stop();
  });

  // initdb and pg_ctl ask by access(2) whether their siblings are there
  test.runIf(isRoot)('runs programs in a folder that this user cannot reach', async () => {
    const hidden = path.join(dataDir, 'hidden');
    await mkdir(hidden, { mode: 0o700 });
    const program = path.join(hidden, 'program');
    await writeFile(program, '#!/bin/sh\ntest -x "$0" && test "$(id -u)" -ne 0\n', { mode: 0o755 });
    const account = findAccount(null);
    await expect(run({ prefix: [], account }, program, [])).rejects.toThrow();
    await run(launchAs(account, [program]), program, []);
  });
});

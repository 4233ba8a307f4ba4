import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram, freePort } from './programs.ts';

interface Program extends Pick<SpawnOptions, 'uid' | 'gid'> {
  /** What it reads, in a folder of its own. */
  configuration(dir: string): string;
  arguments(file: string): string[];
  /** Whether it serves; asked until it does. */
  isReady(): Promise<boolean>;
  end?: NodeJS.Signals;
}

/** Starts an installed program, and waits until it serves. */
export async function startProgram(name: string, program: Program) {
  const { configuration, arguments: argumentsOf, isReady, end = 'SIGTERM', ...options } = program;
  const dir = await mkdtemp(path.join(tmpdir(), `events-gateway-${name}-`));
  const file = path.join(dir, 'configuration');
  await writeFile(file, configuration(dir));
  // it may run as another user
  await Promise.all([chmod(dir, 0o755), chmod(file, 0o644)]);
  const child = spawn(findProgram(name) as string, argumentsOf(file), { cwd: dir, ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const stop = async () => {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill(end)) await exited;
    await rm(dir, { recursive: true, force: true });
  };
  const latest = performance.now() + 30_000;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > latest) {
      await stop();
      throw new Error(`${name} does not serve: ${output}`);
    }
    await sleep(50);
  }
  return { dir, output: () => output, stop };
}

/** The proxies that the service is tried behind, with their configurations under `ops/proxies`. */
export const proxyPrograms = [
  {
    name: 'nginx',
    program: 'nginx',
    configuration: 'nginx.conf',
    arguments: (file: string) => ['-c', file, '-g', 'daemon off;'],
  },
  {
    name: 'HAProxy',
    program: 'haproxy',
    configuration: 'haproxy.cfg',
    arguments: (file: string) => ['-f', file, '-db'],
  },
];

/** A file under `ops/proxies`. */
export const configurationOf = (name: string) =>
  readFileSync(new URL(`../../ops/proxies/${name}`, import.meta.url), 'utf8');

/** Starts one before two replicas, with no change to its configuration but the ports and the places of files. */
export async function startProxy(proxy: (typeof proxyPrograms)[number], replicaPorts: readonly [number, number]) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { dir, output, stop } = await startProgram(proxy.program, {
    configuration: (dir) =>
      configurationOf(proxy.configuration)
        .replace('127.0.0.1:3001', `127.0.0.1:${replicaPorts[0]}`)
        .replace('127.0.0.1:3002', `127.0.0.1:${replicaPorts[1]}`)
        .replace(/(bind :|listen )8080/, `$1${port}`)
        .replace('/run/nginx.pid', path.join(dir, 'nginx.pid'))
        .replace('/var/log/nginx/access.log', path.join(dir, 'access.log')),
    arguments: proxy.arguments,
    isReady: async () => (await fetch(`${url}/healthz`)).ok,
  });
  const log = path.join(dir, 'access.log');
  /** What it wrote, to its log as well. */
  return { url, output: () => output() + (existsSync(log) ? readFileSync(log, 'utf8') : ''), stop };
}

export type Pooler = Awaited<ReturnType<typeof startPgbouncer>>;

/**
 * Starts a PgBouncer in transaction mode before a server, with few connections to it, so that what one client does in a
 * session soon meets another client.
 *
 * @param settings further lines of its configuration
 */
export async function startPgbouncer(databaseUrl: string, settings: Record<string, string> = {}) {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const port = await freePort();
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: '3',
    max_client_conn: '200',
    ...settings,
  };
  const target = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`;
  const lines = ['[databases]', `* = ${target}`, '[pgbouncer]'];
  const { stop } = await startProgram('pgbouncer', {
    configuration: () => [...lines, ...Object.entries(options).map(([name, value]) => `${name} = ${value}`)].join('\n'),
    arguments: (file) => [file],
    isReady: async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
      return true;
    },
    // it would wait for its clients
    end: 'SIGKILL',
    // it refuses to be root
    ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
  });
  /** The URL of a database, by way of the pooler. */
  const urlOf = (database: string) => {
    const url = new URL(database);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
  return { urlOf, stop };
}

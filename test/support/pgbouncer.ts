import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';

export type Pooler = Awaited<ReturnType<typeof startPgbouncer>>;

/**
 * Starts a PgBouncer in transaction mode before a server, with few connections to it, so that what one client does in a
 * session soon meets another client.
 *
 * @param settings further lines of its configuration
 */
export async function startPgbouncer(databaseUrl: string, settings: Record<string, string> = {}) {
  const pgbouncer = findProgram('pgbouncer');
  if (pgbouncer === null) throw new Error('PgBouncer is not installed.');
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-pgbouncer-'));
  const port = await freePort();
  const file = path.join(dir, 'pgbouncer.ini');
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
  await writeFile(file, [...lines, ...Object.entries(options).map(([name, value]) => `${name} = ${value}`)].join('\n'));
  await Promise.all([chmod(dir, 0o755), chmod(file, 0o644)]);
  // it refuses to be root
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(pgbouncer, [file], { stdio: ['ignore', 'ignore', 'pipe'], cwd: dir, ...nobody });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  await untilListening(port, child, () => log);
  return {
    /** The URL of a database, by way of the pooler. */
    urlOf: (target: string) => {
      const url = new URL(target);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await exited;
      }
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number, child: ChildProcess, log: () => string): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1');
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
  }
  child.kill('SIGKILL');
  throw new Error(`PgBouncer does not start: ${log()}`);
}

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink, realpath, stat, unlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, isAlive, run } from './cluster.ts';

type Postmaster = { pid: number; port: number };

const pidFile = (data: string) => path.join(data, 'postmaster.pid');

/** Reads `postmaster.pid`, which a killed server leaves behind. */
export async function readPostmaster({ data }: Cluster): Promise<Postmaster | null> {
  const text = await readFile(pidFile(data), 'utf8').catch(() => '');
  const [pid, , , port] = text.split('\n').map(Number);
  return pid && port ? { pid, port } : null;
}

/** Whether the process is PostgreSQL on this cluster: process ids are reused. */
export async function isRunning({ pid }: Postmaster, { data }: Cluster): Promise<boolean> {
  if (!isAlive(pid)) return false;
  // the server's working directory is its data directory; only Linux shows it, and not in all containers
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (directory !== null) return directory === (await realpath(data));
  if (process.platform === 'win32') return true;
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(data);
}

/** The port of the server, which is started unless it runs. @throws Error with the end of its log */
export async function ensureRunning(cluster: Cluster): Promise<number> {
  const found = await readPostmaster(cluster);
  if (found && (await isRunning(found, cluster))) return found.port;
  // PostgreSQL keeps it if another process of the same user has the id
  if (found) await unlink(pidFile(cluster.data)).catch(() => undefined);
  return await startServer(cluster);
}

/** As a daemon in its own session, so that Ctrl-C in our terminal does not reach it. */
export async function startServer({ data, log, launch, binaries }: Cluster): Promise<number> {
  const before = await stat(log).catch(() => ({ size: 0 }));
  const port = await choosePort(data);
  const args = ['start', '-w', '-t', '120', '-D', data, '-l', log, '-o', `-p ${port}`];
  await run(launch, binaries.pg_ctl, args).catch(async (cause: Error) => {
    const text = await readFile(log, 'utf8').catch(() => '');
    const reason = text.slice(before.size).trim().split('\n').slice(-12).join('\n') || cause.message;
    throw new Error(`The embedded PostgreSQL did not start.\n${reason}`, { cause });
  });
  return port;
}

/** Rolls back open transactions. `pg_ctl`'s own wait would not end if another process restarted the server at once. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const postmaster = await readPostmaster(cluster);
  if (!postmaster) return;
  await run(cluster.launch, cluster.binaries.pg_ctl, ['stop', '-W', '-m', 'fast', '-D', cluster.data]);
  for (const end = Date.now() + 60_000; await isRunning(postmaster, cluster); await sleep(25)) {
    if (Date.now() > end) throw new Error(`The embedded PostgreSQL does not stop. See ${cluster.log}.`);
  }
}

/** The server's last port, or a free one. If another process takes it, the start is retried. */
async function choosePort(data: string): Promise<number> {
  const options = await readFile(path.join(data, 'postmaster.opts'), 'utf8').catch(() => '');
  const last = Number(/"-p" "(\d+)"/.exec(options)?.[1] ?? 0);
  const server = createServer();
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(last).catch(() => listen(0));
  const { port } = server.address() as AddressInfo;
  await server[Symbol.asyncDispose]();
  return port;
}

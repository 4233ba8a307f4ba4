import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { link, readFile, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, isAlive } from './cluster.ts';
import { run } from './run.ts';

/** The content of `postmaster.pid` about a running server. */
export interface Postmaster {
  pid: number;
  port: number;
  /** The content of the file. */
  text: string;
}

/** Reads which server runs the cluster; null if none does. The file remains after a server was killed. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const text = await readFile(pidFile(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const lines = text?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return text && pid > 0 && port > 0 ? { pid, port, text } : null;
}

/** Whether the process is still running and is PostgreSQL on this cluster, since process ids are reused. */
export async function isRunning({ pid }: Postmaster, cluster: Cluster): Promise<boolean> {
  if (!isAlive(pid)) return false;
  // the server's working directory is its data directory
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (directory !== null) return directory === (await realpath(cluster.data));
  if (process.platform === 'win32') return true;
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster.data);
}

/**
 * The running server, which is started if none runs.
 *
 * @throws Error with the end of the server's log
 */
export async function ensureRunning(cluster: Cluster): Promise<Postmaster> {
  const found = await readPostmaster(cluster);
  if (found && (await isRunning(found, cluster))) return found;
  if (found) await removeStale(cluster, found);
  await startServer(cluster);
  const started = await readPostmaster(cluster);
  if (!started) throw new Error('The embedded PostgreSQL was terminated.');
  return started;
}

/**
 * Starts the server as a daemon in its own session, so that Ctrl-C in our terminal does not reach it, and waits until
 * it is ready.
 *
 * @throws Error with the end of the server's log
 */
export async function startServer(cluster: Cluster): Promise<void> {
  const before = await stat(cluster.log).then(
    ({ size }) => size,
    () => 0,
  );
  const args = [
    'start',
    '-w',
    '-t',
    '120',
    '-D',
    cluster.data,
    '-l',
    cluster.log,
    '-o',
    `-p ${await choosePort(cluster)}`,
  ];
  await run(cluster.launch, cluster.binaries.pg_ctl, args).catch(async (cause: Error) => {
    const log = await readFile(cluster.log, 'utf8').catch(() => '');
    const reason = log.slice(before).trim().split('\n').slice(-12).join('\n') || cause.message;
    throw new Error(`The embedded PostgreSQL did not start.\n${reason}`, { cause });
  });
}

/**
 * Stops the server: open transactions are rolled back, and everything committed is on disk. `pg_ctl`'s own wait would
 * not end if another process restarted the server at once.
 *
 * @throws Error if it does not stop within a minute
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const postmaster = await readPostmaster(cluster);
  if (!postmaster) return;
  await run(cluster.launch, cluster.binaries.pg_ctl, ['stop', '-W', '-m', 'fast', '-D', cluster.data]);
  for (const end = Date.now() + 60_000; await isRunning(postmaster, cluster); await sleep(25)) {
    if (Date.now() > end) throw new Error(`The embedded PostgreSQL does not stop. See ${cluster.log}.`);
  }
}

/**
 * Removes a pid file whose process is no longer PostgreSQL. PostgreSQL does so itself unless another process of the
 * same user has the id.
 */
async function removeStale(cluster: Cluster, stale: Postmaster): Promise<void> {
  const aside = `${pidFile(cluster)}.${process.pid}`;
  try {
    await rename(pidFile(cluster), aside);
  } catch {
    return;
  }
  // if another process started the server between the read and the rename, the file is restored
  if ((await readFile(aside, 'utf8')) !== stale.text) await link(aside, pidFile(cluster)).catch(() => undefined);
  await unlink(aside);
}

function pidFile(cluster: Cluster): string {
  return path.join(cluster.data, 'postmaster.pid');
}

/**
 * The server's last port, which clients try first, or else a free one. If another process takes it before PostgreSQL
 * does, the start is retried.
 */
async function choosePort(cluster: Cluster): Promise<number> {
  const options = await readFile(path.join(cluster.data, 'postmaster.opts'), 'utf8').catch(() => '');
  const last = Number(/"-p" "(\d+)"/.exec(options)?.[1] ?? 0);
  return await findFree(last).catch(() => findFree(0));
}

/** @throws Error if the port is taken; 0 stands for any free port */
async function findFree(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: chosen } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return chosen;
}

import { spawnSync } from 'node:child_process';
import { link, readFile, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { type Cluster, isAlive } from './cluster.ts';
import { run } from './run.ts';

/** What PostgreSQL notes about a running server in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** The file as it was read. */
  text: string;
}

/** Reads who runs the cluster, or null where nobody does. The file outlives a server that was killed. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const text = await readFile(pidFile(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const lines = text?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return text && pid > 0 && port > 0 ? { pid, port, text } : null;
}

/** Whether that process still runs, and is PostgreSQL on this cluster: process ids are used again. */
export async function isRunning({ pid }: Postmaster, cluster: Cluster): Promise<boolean> {
  if (!isAlive(pid)) return false;
  // the server's working directory is its data directory
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (directory !== null) return directory === (await realpath(cluster.data));
  if (process.platform === 'win32') return true;
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster.data);
}

/**
 * Starts the server as a daemon of its own session, so that Ctrl-C in our terminal does not reach it, and waits until
 * it is ready.
 *
 * @throws Error with the end of the server's log
 */
export async function startServer(cluster: Cluster): Promise<void> {
  const before = await stat(cluster.log).then(
    ({ size }) => size,
    () => 0,
  );
  const args = ['start', '-w', '-t', '120', '-D', cluster.data, '-l', cluster.log, '-o', `-p ${await freePort()}`];
  await run(cluster.launch, cluster.binaries.pg_ctl, args).catch(async (cause: Error) => {
    const log = await readFile(cluster.log, 'utf8').catch(() => '');
    const reason = log.slice(before).trim().split('\n').slice(-12).join('\n') || cause.message;
    throw new Error(`The embedded PostgreSQL did not start.\n${reason}`, { cause });
  });
}

/** Stops the server: open transactions are rolled back, everything committed is on disk. */
export async function stopServer(cluster: Cluster): Promise<void> {
  await run(cluster.launch, cluster.binaries.pg_ctl, ['stop', '-w', '-t', '60', '-m', 'fast', '-D', cluster.data]);
}

/**
 * Removes a pid file whose process is not PostgreSQL any more. PostgreSQL does that by itself except where the id was
 * given to another process of the same user.
 */
export async function removeStale(cluster: Cluster, stale: Postmaster): Promise<void> {
  const aside = `${pidFile(cluster)}.${process.pid}`;
  try {
    await rename(pidFile(cluster), aside);
  } catch {
    return;
  }
  // between the reading and the renaming somebody may have started the server: then the file is put back
  if ((await readFile(aside, 'utf8')) !== stale.text) await link(aside, pidFile(cluster)).catch(() => undefined);
  await unlink(aside);
}

function pidFile(cluster: Cluster): string {
  return path.join(cluster.data, 'postmaster.pid');
}

/** A port that nobody listens on. Another process may take it before PostgreSQL does; then the start is tried again. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { isRunning, readPostmaster, removeStale, startServer } from './postmaster.ts';
import { Presence } from './presence.ts';

/** Milliseconds that a server may take to recover from a crash, or that another process may take to stop it. */
const patience = 180_000;
/** Milliseconds between two attempts. */
const interval = 100;

/** A server that this process uses. */
export interface Joined {
  presence: Presence;
  port: number;
}

/**
 * Joins the running server, waiting while it starts or stops; null if none is running.
 *
 * @throws Error if it does not respond for too long
 */
export async function joinRunning(cluster: Cluster, end = Date.now() + patience): Promise<Joined | null> {
  for (;;) {
    const postmaster = await readPostmaster(cluster);
    if (!postmaster) return null;
    const presence = await Presence.join(cluster, postmaster.port);
    if (presence instanceof Presence) return { presence, port: postmaster.port };
    if (!(await isRunning(postmaster, cluster))) return null;
    if (Date.now() > end) throw new Error(`The embedded PostgreSQL does not respond. See ${cluster.log}.`);
    await sleep(interval);
  }
}

/**
 * Joins the running server, or starts one. Several processes may do so at the same time.
 *
 * @param signal once aborted, no server is started
 * @throws Error with the reason
 */
export async function joinOrStart(cluster: Cluster, signal?: AbortSignal): Promise<Joined> {
  const end = Date.now() + patience;
  for (;;) {
    const joined = await joinRunning(cluster, end);
    if (joined) return joined;
    signal?.throwIfAborted();
    const failure = await attemptStart(cluster);
    if (failure && Date.now() > end) throw failure;
    if (failure) await sleep(interval);
  }
}

/**
 * Starts the server; returns an error that a retry may fix.
 *
 * @throws Error that a retry would not fix
 */
async function attemptStart(cluster: Cluster): Promise<Error | null> {
  const before = await readPostmaster(cluster);
  try {
    await startServer(cluster);
    return null;
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const now = await readPostmaster(cluster);
    if (now && (await isRunning(now, cluster))) return failure; // another process has just started it
    if (now && now.text === before?.text) await removeStale(cluster, now);
    else if (!passes.test(failure.message)) throw failure;
    return failure;
  }
}

/** Temporary failures: the port was taken in the meantime, or the processes of a killed server are still ending. */
const passes = /Address already in use|pre-existing shared memory|lock file/i;

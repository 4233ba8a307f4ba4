import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, openCluster, type ServerSettings } from './embedded/cluster.ts';
import { isRunning, readPostmaster, removeStale, startServer, stopServer } from './embedded/postmaster.ts';
import { Presence, serverUrl } from './embedded/presence.ts';

const database = 'events_gateway';
/** How long a server may take to recover from a crash, or another process to stop it, in milliseconds. */
const patience = 180_000;

export interface EmbeddedOptions {
  /** Absolute path; the cluster is kept in its folder `postgres`. */
  dataDir: string;
  /** Settings of PostgreSQL for a cluster that is made now. */
  serverSettings?: ServerSettings;
}

/** The embedded PostgreSQL, as one process uses it. */
export interface EmbeddedServer {
  url: string;
  /**
   * Ends the use. The last one to leave stops the server: an import beside the running service does not, nor does the
   * service while an import runs. Close your own connections first. `force` stops it whoever else uses it.
   */
  stop(options?: { force?: boolean }): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes with the service, or joins it where it runs already: beside another process, or left
 * behind by one that was killed. Several processes may start at the same moment.
 *
 * @throws Error with what is in the way: no binaries, wrong owner, full disk, the end of the server's log
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const cluster = await openCluster(options.dataDir, options.serverSettings);
  const { presence, port } = await joinOrStart(cluster);
  try {
    await presence.ensureDatabase(database);
  } catch (error) {
    await presence.close();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return {
    url: serverUrl(cluster, port, database),
    stop: ({ force = false } = {}) => {
      stopped ??= leave(cluster, presence, force);
      return stopped;
    },
  };
}

async function joinOrStart(cluster: Cluster): Promise<{ presence: Presence; port: number }> {
  let failure: unknown;
  for (const end = Date.now() + patience; Date.now() < end; await sleep(100)) {
    const postmaster = await readPostmaster(cluster);
    if (postmaster) {
      const joined = await Presence.join(cluster, postmaster.port);
      if (joined instanceof Presence) return { presence: joined, port: postmaster.port };
      if (await isRunning(postmaster, cluster)) continue;
    }
    failure = await startServer(cluster).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) continue;
    const now = await readPostmaster(cluster);
    if (now && (await isRunning(now, cluster))) continue; // another process started it just before us
    if (now && now.text === postmaster?.text) await removeStale(cluster, now);
    else if (!passes(failure)) throw failure;
  }
  throw failure ?? new Error(`The embedded PostgreSQL in ${cluster.dir} runs but does not answer. See ${cluster.log}.`);
}

/** Reasons that are gone at the next try: the port was taken meanwhile, or a killed server's processes still end. */
function passes(failure: unknown): boolean {
  return (
    failure instanceof Error && /Address already in use|pre-existing shared memory|lock file/i.test(failure.message)
  );
}

async function leave(cluster: Cluster, presence: Presence, force: boolean): Promise<void> {
  try {
    // a presence that was lost (the server was killed, and maybe started again by others) is nobody's last
    if (force || (await presence.isLast().catch(() => false))) await stopServer(cluster);
  } catch (error) {
    // a server that is gone needs no stopping
    const postmaster = await readPostmaster(cluster);
    if (postmaster && (await isRunning(postmaster, cluster))) throw error;
  } finally {
    await presence.close();
  }
}

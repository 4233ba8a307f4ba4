import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, type ClusterOptions, openCluster } from './embedded/cluster.ts';
import { ownerUrl, superuserUrl } from './embedded/connect.ts';
import { type Joined, joinOrStart, joinRunning } from './embedded/join.ts';
import { isRunning, readPostmaster, stopServer } from './embedded/postmaster.ts';

export interface EmbeddedOptions extends ClusterOptions {
  /** Absolute path; the cluster is in its folder `postgres`. */
  dataDir: string;
  /** Receives messages about steps of the start that take long. */
  report?: ((message: string) => void) | undefined;
  /** Receives a message when the server is lost, and when it is back. */
  warn?: ((message: string) => void) | undefined;
}

/** Milliseconds before a failed start is retried: after a full disk has space again, service is to be back within 5 s. */
const retryDelay = 2_000;

/**
 * Starts the embedded PostgreSQL, or joins it if it is already running for another process or was left behind by one
 * that was killed. Several processes may start at the same time.
 *
 * @throws Error with the reason, such as missing binaries, a wrong owner, a full disk, or the end of the server's log
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const cluster = await openCluster(options.dataDir, options);
  options.report?.('starting PostgreSQL, unless it runs already');
  return new EmbeddedServer(cluster, await joinOrStart(cluster), options.warn ?? (() => undefined));
}

/**
 * One process's use of the embedded PostgreSQL. The server keeps running while in use: if it was killed, it is
 * restarted, and if another process restarted it, it is joined, so that it still stops with the last process that uses
 * it.
 */
export class EmbeddedServer {
  readonly #cluster: Cluster;
  readonly #warn: (message: string) => void;
  readonly #leaving = new AbortController();
  #joined: Joined;
  /** Resolves when a lost server is back or no longer needed. */
  #recovery: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(cluster: Cluster, joined: Joined, warn: (message: string) => void) {
    this.#cluster = cluster;
    this.#warn = warn;
    this.#joined = joined;
    this.#watch();
  }

  /** The URL of the service's database, as its owner. A restarted server may have another port. */
  get url(): string {
    return ownerUrl(this.#cluster, this.#joined.port);
  }

  /** The superuser's URL of the same database, for administration. */
  get superuserUrl(): string {
    return superuserUrl(this.#cluster, this.#joined.port, new URL(this.url).pathname.slice(1));
  }

  /**
   * Stops using the server. The last process to leave stops it, so neither an import beside the running service nor the
   * service during an import does. Close your own connections first. `force` stops the server even if others use it.
   */
  stop({ force = false } = {}): Promise<void> {
    this.#stopped ??= this.#leave(force);
    return this.#stopped;
  }

  #watch(): void {
    void this.#joined.presence.lost.then(() => {
      if (!this.#leaving.signal.aborted) this.#recovery = this.#recover(this.#leaving.signal);
    });
  }

  async #recover(signal: AbortSignal): Promise<void> {
    this.#warn('the embedded PostgreSQL has stopped; starting it again');
    while (!signal.aborted) {
      try {
        this.#joined = await joinOrStart(this.#cluster, signal);
        this.#warn('the embedded PostgreSQL is back');
        this.#watch();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#warn(`the embedded PostgreSQL cannot be restarted: ${error instanceof Error ? error.message : error}`);
      }
      await sleep(retryDelay, undefined, { signal }).catch(() => undefined);
    }
  }

  async #leave(force: boolean): Promise<void> {
    this.#leaving.abort();
    await this.#recovery;
    // if the server was just restarted, there may be no other process to stop it
    const joined = this.#joined.presence.isLost ? await joinRunning(this.#cluster) : this.#joined;
    if (!joined) return;
    try {
      if (force || (await joined.presence.isLast().catch(() => false))) await stopServer(this.#cluster);
    } catch (error) {
      // the server may already be gone
      const postmaster = await readPostmaster(this.#cluster);
      if (postmaster && (await isRunning(postmaster, this.#cluster))) throw error;
    } finally {
      await joined.presence.close();
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, type EmbeddedOptions, openCluster, urlOf } from './cluster.ts';
import { ensureRunning, stopServer } from './postmaster.ts';

export { type EmbeddedOptions, hasCluster } from './cluster.ts';

/** The advisory lock of the process that owns the server. */
const ownerLock = 7_105_118_101;
/** Milliseconds that a server may take to recover from a crash, or another process to stop it. */
const patience = 180_000;
const connection = { application_name: 'embedded-postgres', connectionTimeoutMillis: 10_000, keepAlive: true };
/** Milliseconds before the next attempt. */
const delays = { connect: 100, restart: 2_000 };

/** Starts the server of a folder, or uses the running one. @throws Error with the reason or the end of the server's log */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const cluster = await openCluster(options);
  options.report?.('starting PostgreSQL, unless it runs already');
  return new EmbeddedServer(cluster, await join(cluster), options.warn ?? (() => undefined));
}

/**
 * One process's use of the server, which belongs to the process that holds its lock, and stops with it. Any process restarts a
 * lost server.
 */
export class EmbeddedServer {
  readonly #cluster: Cluster;
  readonly #warn: (message: string) => void;
  readonly #leaving = new AbortController();
  #client: Client;
  /** Resolves when a lost server is back or no longer needed. */
  #recovery: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(cluster: Cluster, client: Client, warn: (message: string) => void) {
    this.#cluster = cluster;
    this.#warn = warn;
    this.#client = client;
    this.#watch();
  }

  /** The URL of the database, as its owner. A restarted server may have another port. */
  get url(): string {
    return urlOf(this.#cluster, this.#client.port, 'owner');
  }

  get superuserUrl(): string {
    return urlOf(this.#cluster, this.#client.port, 'postgres');
  }

  /** Stops the server if it belongs to this process or to none. Close your own connections first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#leave();
    return this.#stopped;
  }

  #watch(): void {
    this.#client.once('end', () => {
      if (!this.#leaving.signal.aborted) this.#recovery = this.#recover(this.#leaving.signal);
    });
  }

  async #recover(signal: AbortSignal): Promise<void> {
    this.#warn('the embedded PostgreSQL has stopped; starting it again');
    while (!signal.aborted) {
      try {
        this.#client = await join(this.#cluster, signal);
        this.#warn('the embedded PostgreSQL is back');
        return this.#watch();
      } catch (error) {
        if (signal.aborted) return;
        this.#warn(`the embedded PostgreSQL cannot be restarted: ${error instanceof Error ? error.message : error}`);
      }
      await sleep(delays.restart, undefined, { signal }).catch(() => undefined);
    }
  }

  async #leave(): Promise<void> {
    this.#leaving.abort();
    await this.#recovery;
    try {
      if (await owns(this.#client)) await stopServer(this.#cluster);
    } finally {
      await this.#client.end();
    }
  }
}

/** Connects to the server, which is started unless it runs. @param signal once aborted, no server is started */
async function join(cluster: Cluster, signal?: AbortSignal): Promise<Client> {
  for (const end = Date.now() + patience; ; await sleep(delays.connect)) {
    signal?.throwIfAborted();
    try {
      const connectionString = urlOf(cluster, await ensureRunning(cluster), 'owner', 'postgres');
      const client = new Client({ connectionString, ...connection });
      // a lost connection also emits `end`
      client.on('error', () => undefined);
      await client.connect();
      await owns(client);
      return client;
    } catch (error) {
      if (!isPassing(error) || Date.now() > end) throw error;
    }
  }
}

/** Takes the server for the process of this connection; false if it belongs to another one or is lost. */
async function owns(client: Client): Promise<boolean> {
  const statement = 'select pg_try_advisory_lock($1) as own';
  const result = await client.query<{ own: boolean }>(statement, [ownerLock]).catch(() => null);
  return result?.rows[0]?.own === true;
}

/** The server starts or stops, its port was just taken, or a killed one is still ending. */
const passing =
  /^57P|^E(CONNREFUSED|CONNRESET|PIPE)|terminat|ended|timeout|not yet accepting connections|starting up|Address already in use|pre-existing shared memory|lock file/i;

/** Whether a retry may help. */
function isPassing(error: unknown): boolean {
  return error instanceof Error && passing.test(`${Reflect.get(error, 'code') ?? ''} ${error.message}`);
}

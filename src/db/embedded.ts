import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, type ClusterOptions, openCluster } from './embedded/cluster.ts';
import { owner, ownerPassword, ownerUrl, superuserUrl } from './embedded/connect.ts';
import { ensureRunning, stopServer } from './embedded/postmaster.ts';

export interface EmbeddedOptions extends ClusterOptions {
  /** Absolute path; the cluster is in its folder `postgres`. */
  dataDir: string;
  /** Receives a message when the server is lost, and when it is back. */
  warn?: ((message: string) => void) | undefined;
}

/** Advisory locks: of the process that the server belongs to, and for the preparation of its database. */
const locks = { owner: 7_105_118_101, preparation: 7_105_118_104 };
/** Milliseconds that a server may take to recover from a crash, or that another process may take to stop it. */
const patience = 180_000;
/** Milliseconds before the next attempt: to connect, and to start a lost server, which is back 5 s after a full disk has space. */
const delays = { connect: 100, restart: 2_000 };

/**
 * Starts the embedded PostgreSQL, or uses the one that runs already: that of a service beside this command, or one that a killed
 * process has left behind.
 *
 * @throws Error with the reason, such as missing binaries, a wrong owner, a full disk, or the end of the server's log
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const cluster = await openCluster(options.dataDir, options);
  options.report?.('starting PostgreSQL, unless it runs already');
  return new EmbeddedServer(cluster, await join(cluster), options.warn ?? (() => undefined));
}

/**
 * One process's use of the embedded PostgreSQL. The server belongs to the process that holds its lock, and stops with it; others leave
 * it running. If the server is lost, whoever uses it starts it again.
 */
export class EmbeddedServer {
  readonly #cluster: Cluster;
  readonly #warn: (message: string) => void;
  readonly #leaving = new AbortController();
  /** The connection that this process keeps to it. */
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

  /** The URL of the service's database, as its owner. A restarted server may have another port. */
  get url(): string {
    return ownerUrl(this.#cluster, this.#client.port);
  }

  /** The superuser's URL of the same database, for administration. */
  get superuserUrl(): string {
    return superuserUrl(this.#cluster, this.#client.port, owner);
  }

  /** Stops the server if it belongs to this process, or to none any more. Close your own connections first. */
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
        this.#watch();
        return;
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
    const client = this.#client;
    try {
      if (await owns(client)) await stopServer(this.#cluster);
    } finally {
      await client.end();
    }
  }
}

/**
 * Connects to the server, which is started unless it runs. Several processes may do so at the same time.
 *
 * @param signal once aborted, no server is started
 * @throws Error with the reason
 */
async function join(cluster: Cluster, signal?: AbortSignal): Promise<Client> {
  for (const end = Date.now() + patience; ; await sleep(delays.connect)) {
    signal?.throwIfAborted();
    try {
      const { port } = await ensureRunning(cluster);
      await prepareDatabase(cluster, port);
      const client = await connect(ownerUrl(cluster, port, 'postgres'));
      await owns(client);
      return client;
    } catch (error) {
      if (!isPassing(error) || Date.now() > end) throw error;
    }
  }
}

/** Opens a connection. If it is lost, it emits `end` but never an unhandled error. */
async function connect(connectionString: string): Promise<Client> {
  const options = { application_name: 'events-gateway embedded', keepAlive: true };
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000, ...options });
  client.on('error', () => undefined);
  try {
    return await client.connect();
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Whether the server belongs to the process of this connection, which takes it if it is nobody's. False if the server is lost. */
async function owns(client: Client): Promise<boolean> {
  const { rows } = await client
    .query<{ own: boolean }>('select pg_try_advisory_lock($1) as own', [locks.owner])
    .catch(() => ({ rows: [{ own: false }] }));
  return rows[0]?.own === true;
}

/** Creates the role of the service and its database if they are missing. */
async function prepareDatabase(cluster: Cluster, port: number): Promise<void> {
  const admin = await connect(superuserUrl(cluster, port));
  try {
    await admin.query('select pg_advisory_lock($1)', [locks.preparation]);
    const role = await admin.query('select from pg_roles where rolname = $1', [owner]);
    if (!role.rowCount) await admin.query(`create role ${owner} login password '${ownerPassword(cluster)}'`);
    const known = await admin.query('select from pg_database where datname = $1', [owner]);
    if (!known.rowCount) await admin.query(`create database ${owner} owner ${owner}`);
  } finally {
    await admin.end();
  }
}

/** Whether a failure ends by itself: the server starts or stops, its port was taken meanwhile, or a killed one is still ending. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(57P|ECONNREFUSED|ECONNRESET|EPIPE)/.test(code) ||
    /terminat|ended|timeout|Address already in use|pre-existing shared memory|lock file/i.test(error.message)
  );
}

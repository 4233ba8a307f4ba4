import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { driverOf } from './driver.ts';

/** The connections to a read replica. */
export interface ReplicaConnections {
  /** Host and port, for the log. */
  name: string;
  pool: Pool;
  /** A pool with one connection for health checks, which closes a connection that hangs. */
  probe: Pool;
}

/** Milliseconds between two health checks. */
const interval = 1_000;
/** Milliseconds to respond to a check; together with the interval, less than a read waits for a connection. */
const patience = 2_000;

async function late(): Promise<never> {
  await sleep(patience, undefined, { ref: false });
  // if this process was blocked in the meantime, the response may already have arrived
  await turn();
  throw new Error(`no response within ${patience} ms`);
}

const gone = 'Connection terminated: the replica does not respond';

/** One read replica, and whether it responds. */
export class Replica {
  readonly #connections: ReplicaConnections;
  readonly #warn: (message: string) => void;
  readonly #clients = new Set<Client>();
  /** A callback for each read that is waiting for a result or a connection. */
  readonly #waiting = new Set<() => void>();
  #state: 'unknown' | 'up' | 'down' = 'unknown';
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #closed = false;

  constructor(connections: ReplicaConnections, warn: (message: string) => void) {
    this.#connections = connections;
    this.#warn = warn;
    const { pool, probe } = connections;
    for (const each of [pool, probe]) {
      each.on('connect', (client) => this.#clients.add(client));
      each.on('remove', (client) => this.#clients.delete(client));
    }
    this.#look();
  }

  get answers(): boolean {
    return this.#state === 'up';
  }

  read<Result>(ask: (pool: Pool) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const giveUp = () => reject(new Error(gone));
    this.#waiting.add(giveUp);
    ask(this.#connections.pool).then(resolve, reject);
    return promise.finally(() => this.#waiting.delete(giveUp));
  }

  /** Excludes it from reads until a health check succeeds, since one lost connection does not mean a lost server. */
  suspect(): void {
    if (this.#state === 'up') this.#state = 'unknown';
    this.#look();
  }

  /** Closes all connections, after the last read. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#state !== 'up') this.#release();
    const { pool, probe } = this.#connections;
    await Promise.all([probe.end(), pool.end(), this.#looking]);
  }

  #look(): void {
    if (this.#closed || this.#looking) return;
    clearTimeout(this.#timer);
    this.#looking = this.#ask().finally(() => {
      this.#looking = null;
      if (this.#closed) return;
      this.#timer = setTimeout(() => this.#look(), interval);
      this.#timer.unref();
    });
  }

  async #ask(): Promise<void> {
    const { name, probe } = this.#connections;
    try {
      await Promise.race([probe.query('select 1'), late()]);
      if (this.#state === 'down') this.#warn(`the replica ${name} responds again`);
      this.#state = 'up';
    } catch (error) {
      if (this.#closed) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#state !== 'down') this.#warn(`the replica ${name} does not respond, reads go elsewhere: ${reason}`);
      this.#state = 'down';
      this.#release();
    }
  }

  /** Fails the reads that are waiting for it, so that they are retried elsewhere, and closes its connections. */
  #release(): void {
    for (const giveUp of [...this.#waiting]) giveUp();
    for (const client of this.#clients) {
      driverOf(client).connection.stream.destroy(new Error(gone));
    }
  }
}

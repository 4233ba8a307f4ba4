import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { driverOf } from './driver.ts';
import type { LogPosition } from './last-writes.ts';
import { type PrimaryLog, positionSql } from './primary-log.ts';

/** The connections to a read replica. */
export interface ReplicaConnections {
  /** Host and port, for the log. */
  name: string;
  pool: Pool;
  /** A pool with one connection for health checks, which closes a connection that hangs. */
  probe: Pool;
}

/** How replicas are measured. */
export interface ReplicaMeasure {
  log: PrimaryLog;
  /** Seconds that a replica may be behind before it is left out. */
  maxLag: number;
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

/** One read replica: whether it responds, and how far it has come. */
export class Replica {
  readonly #connections: ReplicaConnections;
  readonly #warn: (message: string) => void;
  readonly #clients = new Set<Client>();
  /** A callback for each read that is waiting for a result or a connection. */
  readonly #waiting = new Set<() => void>();
  readonly #measure: ReplicaMeasure;
  #state: 'unknown' | 'up' | 'behind' | 'down' = 'unknown';
  #position: LogPosition = 0;
  #lag = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #closed = false;

  constructor(connections: ReplicaConnections, measure: ReplicaMeasure, warn: (message: string) => void) {
    this.#connections = connections;
    this.#measure = measure;
    this.#warn = warn;
    const { pool, probe } = connections;
    for (const each of [pool, probe]) {
      each.on('connect', (client) => this.#clients.add(client));
      each.on('remove', (client) => this.#clients.delete(client));
    }
    this.#look();
  }

  get state(): 'used' | 'behind' | 'lost' {
    if (this.#state === 'up') return 'used';
    return this.#state === 'behind' ? 'behind' : 'lost';
  }

  /** Whether a read may be sent to it that must see the log up to a position; it may have come further than is known. */
  serves(position: LogPosition): boolean {
    return this.#state === 'up' && this.#position >= position;
  }

  /** Host and port. */
  get name(): string {
    return this.#connections.name;
  }

  /** Seconds that it is behind the primary; null if it does not respond. */
  get lag(): number | null {
    return this.state === 'lost' ? null : this.#lag;
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
    if (this.state === 'lost') this.#release();
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
      const { rows } = await Promise.race([probe.query<{ position: LogPosition | null }>(positionSql), late()]);
      if (this.#state === 'down') this.#warn(`the replica ${name} responds again`);
      this.#compare(rows[0]?.position ?? 0);
    } catch (error) {
      if (this.#closed) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#state !== 'down') this.#warn(`the replica ${name} does not respond, reads go elsewhere: ${reason}`);
      this.#state = 'down';
      this.#release();
    }
  }

  /** It comes back once it is well within the bound, so that it does not come and go. */
  #compare(position: LogPosition): void {
    const { log, maxLag } = this.#measure;
    const { name } = this.#connections;
    const wasBehind = this.#state === 'behind';
    this.#position = position;
    this.#lag = log.secondsPast(position);
    const isBehind = this.#lag > (wasBehind ? maxLag / 2 : maxLag);
    this.#state = isBehind ? 'behind' : 'up';
    if (isBehind === wasBehind) return;
    const seconds = Math.round(this.#lag);
    this.#warn(
      isBehind
        ? `the replica ${name} is ${seconds} s behind, reads go elsewhere`
        : `the replica ${name} has caught up: it is ${seconds} s behind`,
    );
  }

  /** Fails the reads that are waiting for it, so that they are retried elsewhere, and closes its connections. */
  #release(): void {
    for (const giveUp of [...this.#waiting]) giveUp();
    for (const client of this.#clients) {
      driverOf(client).connection.stream.destroy(new Error(gone));
    }
  }
}

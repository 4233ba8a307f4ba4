import type { Client, Pool } from 'pg';
import { driverOf } from './driver.ts';
import { anywhere, LastWrites, type LogPosition, positionOf } from './last-writes.ts';
import { ConnectionFailure } from './session.ts';

/** Milliseconds between two health checks. */
const interval = 1_000;

interface ReplicaConnections {
  /** Host and port, for the log. */
  name: string;
  pool: Pool;
  /** A pool with one connection for health checks, which closes a connection that hangs. */
  probe: Pool;
}

interface ReplicaOptions {
  primary: Pool;
  /** Seconds that a replica may be behind before it is left out. */
  maxLag: number;
  warn: (message: string) => void;
}

const gone = 'Connection terminated: the replica does not respond';

/** One read replica: whether it responds, and how far it has come. */
class Replica {
  readonly name: string;
  state: 'used' | 'behind' | 'lost' = 'lost';
  /** Seconds that it is behind, when it last responded. */
  lag = 0;
  readonly #options: ReplicaConnections & ReplicaOptions;
  readonly #clients = new Set<Client>();
  /** A callback for each read that is waiting for a result or a connection. */
  readonly #waiting = new Set<() => void>();
  /** Whether its loss was logged. */
  #isReported = false;
  #position: LogPosition = 0;
  /** A position of the primary that the replica has not reached, and when the primary had it. */
  #ahead = { position: anywhere, at: 0 };
  /** Seconds since then, at the last health check. */
  #age = 0;
  readonly #timer = setInterval(() => this.#look(), interval).unref();
  #looking: Promise<void> | null = null;
  #closed = false;

  constructor(options: ReplicaConnections & ReplicaOptions) {
    this.name = options.name;
    this.#options = options;
    for (const each of [options.pool, options.probe]) {
      each.on('connect', (client) => this.#clients.add(client));
      each.on('remove', (client) => this.#clients.delete(client));
    }
    this.#look();
  }

  /** Whether a read that must see the log up to a position may be sent to it. */
  serves(position: LogPosition): boolean {
    return this.state === 'used' && this.#position >= position;
  }

  read<Result>(ask: (pool: Pool) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const giveUp = () => reject(new Error(gone));
    this.#waiting.add(giveUp);
    ask(this.#options.pool).then(resolve, reject);
    return promise.finally(() => this.#waiting.delete(giveUp));
  }

  /** Excludes it from reads until a health check succeeds. */
  suspect(): void {
    if (this.state === 'used') this.state = 'lost';
    this.#look();
  }

  /** Closes all connections, after the last read. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    if (this.state === 'lost') this.#release();
    const { pool, probe } = this.#options;
    await Promise.all([probe.end(), pool.end(), this.#looking]);
  }

  #look(): void {
    if (this.#closed) return;
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null;
    });
  }

  async #ask(): Promise<void> {
    const { name, probe, primary, warn } = this.#options;
    // if the primary is lost, replicas are behind nothing
    const target = positionOf(primary).catch(() => anywhere);
    try {
      this.#position = await positionOf(probe);
      if (this.#isReported) warn(`the replica ${name} responds again`);
      this.#isReported = false;
      this.#compare(await target);
    } catch (error) {
      if (this.#closed) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#isReported) warn(`the replica ${name} does not respond, reads go elsewhere: ${reason}`);
      this.#isReported = true;
      this.state = 'lost';
      this.#release();
    }
  }

  /** Measures the time that the replica needs to reach a position of the primary; a replica alone cannot know its lag. */
  #compare(primary: LogPosition): void {
    const now = performance.now() / 1000;
    const { position, at } = this.#ahead;
    // a primary that is behind that position is another server
    if (this.#position >= position || primary < position) {
      this.lag = this.#age;
      this.#age = 0;
      this.#ahead = { position: primary, at: now };
    } else {
      this.#age = now - at;
      this.lag = Math.max(this.lag, this.#age);
    }
    const { name, maxLag, warn } = this.#options;
    const wasBehind = this.state === 'behind';
    // hysteresis
    const isBehind = this.lag > (wasBehind ? maxLag / 2 : maxLag);
    this.state = isBehind ? 'behind' : 'used';
    if (isBehind === wasBehind) return;
    const what = isBehind ? 'falls behind, reads go elsewhere' : 'has caught up';
    warn(`the replica ${name} ${what}: it is ${Math.round(this.lag)} s behind`);
  }

  /** Fails its reads, so that they are retried elsewhere, and closes its connections. */
  #release(): void {
    for (const giveUp of [...this.#waiting]) giveUp();
    for (const client of this.#clients) driverOf(client).connection.stream.destroy(new Error(gone));
  }
}

/**
 * The read replicas of a primary, used round robin. A read that fails because of its replica is retried on the
 * others, and finally on the primary. A health check every second bounds how long a hanging replica delays a read.
 */
export class Replicas {
  readonly lastWrites: LastWrites;
  readonly warn: (message: string) => void;
  readonly all: readonly Replica[];
  readonly #primary: Pool;
  #turn = 0;

  constructor(connections: ReplicaConnections[], options: ReplicaOptions) {
    this.lastWrites = new LastWrites(options.primary);
    this.warn = options.warn;
    this.all = connections.map((each) => new Replica({ ...each, ...options }));
    this.#primary = options.primary;
  }

  /** How many respond and are not too far behind. */
  get answering(): number {
    return this.all.filter(({ state }) => state === 'used').length;
  }

  /** @param position how far a replica must have come */
  async read<Result>(ask: (pool: Pool) => Promise<Result>, position: LogPosition): Promise<Result> {
    this.#turn = (this.#turn + 1) % this.all.length;
    for (const replica of [...this.all.slice(this.#turn), ...this.all.slice(0, this.#turn)]) {
      if (!replica.serves(position)) continue;
      try {
        return await replica.read(ask);
      } catch (error) {
        if (isLost(error)) replica.suspect();
        else if (!isBehind(error)) throw error;
      }
    }
    return await ask(this.#primary);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((each) => each.close()));
  }
}

/** SQLSTATEs of a server that cannot serve any request (PostgreSQL, appendix A). */
const lostStates = /^(08...|53...|57P0.|58...|XX...)$/;

/** The driver's messages for a connection that fails or is lost; not that of a pool without a free connection. */
const lostMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|Query read timeout)/;

function isLost(error: unknown): boolean {
  if (error instanceof ConnectionFailure) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return lostStates.test(code) || /^(E[A-Z]+)$/.test(code);
  return lostMessages.test(String(message));
}

/** Whether the read conflicts with replication, or needs a table, column or function that is not replicated yet. */
function isBehind(error: unknown): boolean {
  return ['40001', '42P01', '42703', '42883', '42704'].includes(String((error as { code?: unknown }).code));
}

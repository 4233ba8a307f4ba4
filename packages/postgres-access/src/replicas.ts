import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { Client, Pool } from 'pg';
import { driverOf, isLost } from './driver.ts';
import { askInTime } from './session.ts';
import { built, prepared, statementBuilder } from './statement.ts';

/** A position in the log of the primary, in bytes from its beginning; exact up to nine petabytes. */
export type LogPosition = number;

/** What a replica must have replayed for a read: nothing in particular, or more than any has. */
export const anywhere: LogPosition = 0;
export const primaryOnly: LogPosition = Number.POSITIVE_INFINITY;

/** Milliseconds; with the interval between health checks, less than a read waits for a connection. */
const patience = 2_000;

/** How far a server has come: a replica in replaying the log, the primary in writing it to disk, from where replicas get it. */
const position = `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::float8 as position`;

async function positionOf(pool: Pool): Promise<LogPosition> {
  const rows = await askInTime<{ position: LogPosition | null }>(pool, { text: position }, patience);
  return rows[0]?.position ?? anywhere;
}

const tables = statementBuilder<{ last_write: { user_id: string; position: string; written_at: string } }>();
const written = sql<string>`pg_current_wal_insert_lsn()`;

/** The statement that notes a write of a user, to be run after its commit: the log has come that far by then. */
export const noteWrite = prepared((at: { userId: string }) =>
  tables
    .insertInto('last_write')
    .values({ user_id: at.userId, position: written, written_at: sql`now()` })
    .onConflict((noted) =>
      noted.column('user_id').doUpdateSet({
        position: (eb) => eb.fn('greatest', ['last_write.position', 'excluded.position']),
        written_at: sql`now()`,
      }),
    ),
);

/** A dump has positions of another cluster, which no replica of this one may reach for long. */
export const forgetForeignWrites = built(tables.deleteFrom('last_write').where('position', '>', written));

/** How far the log of the primary was when each user last wrote, in any process. One statement at a time reads it. */
export class LastWrites {
  readonly #positions: DataLoader<string, LogPosition>;

  constructor(primary: Pool) {
    let asking: Promise<unknown> = Promise.resolve();
    const ask = (userIds: readonly string[]) => {
      const found = lastWritesOf(primary, userIds);
      asking = found.catch(() => undefined);
      return found;
    };
    this.#positions = new DataLoader(ask, { cache: false, batchScheduleFn: (send) => void asking.then(send) });
  }

  /** What a replica must have replayed for a user to read their own writes; {@link primaryOnly} if unknown. */
  async of(userId: string): Promise<LogPosition> {
    return await this.#positions.load(userId).catch(() => primaryOnly);
  }
}

async function lastWritesOf(primary: Pool, userIds: readonly string[]): Promise<LogPosition[]> {
  const { rows } = await primary.query<{ user_id: string; position: LogPosition }>({
    name: 'last_writes',
    text: `select user_id, (position - '0/0'::pg_lsn)::float8 as position from last_write where user_id = any($1::uuid[])`,
    values: [userIds],
  });
  const positions = new Map(rows.map(({ user_id, position }) => [user_id, position]));
  return userIds.map((userId) => positions.get(userId) ?? anywhere);
}

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
  /** How far it has come. */
  position: LogPosition = 0;
  readonly #options: ReplicaConnections & ReplicaOptions;
  readonly #clients = new Set<Client>();
  /** A callback for each read that is waiting for a result or a connection. */
  readonly #waiting = new Set<() => void>();
  /** Whether its loss was logged. */
  #isReported = false;
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
      this.position = await positionOf(probe);
      if (this.#isReported) warn(`the replica ${name} responds again`);
      this.#isReported = false;
      this.#compare(await target);
    } catch (error) {
      if (this.#closed) return;
      if (!this.#isReported) warn(`the replica ${name} does not respond, reads go elsewhere: ${error}`);
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
    if (this.position >= position || primary < position) {
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
      if (replica.state !== 'used' || replica.position < position) continue;
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

/** Whether the read conflicts with replication, or needs a table, column or function that is not replicated yet. */
function isBehind(error: unknown): boolean {
  return ['40001', '42P01', '42703', '42883', '42704'].includes(String((error as { code?: unknown }).code));
}

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Pool } from 'pg';
import sql, { type Sql } from 'sql-template-tag';

/** A position in the log of the primary, in bytes from its beginning; exact up to nine petabytes. */
export type LogPosition = number;

/** What a replica must have replayed for a read: nothing in particular, or more than any has. */
export const anywhere: LogPosition = 0;
export const primaryOnly: LogPosition = Number.POSITIVE_INFINITY;

/** Milliseconds to respond; together with the interval between two looks, less than a read waits for a connection. */
const patience = 2_000;

/**
 * How far a server has come: a replica in replaying the log, the primary in writing it to disk, which is what replicas can get.
 * In bytes, as a double. A connection that does not answer is closed (note 0049).
 */
const question = {
  text: `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
    else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::float8 as position`,
  query_timeout: patience,
};

export async function positionOf(pool: Pool): Promise<LogPosition> {
  const { rows } = await Promise.race([pool.query<{ position: LogPosition | null }>(question), late()]);
  return rows[0]?.position ?? anywhere;
}

async function late(): Promise<never> {
  await sleep(patience, undefined, { ref: false });
  // if this process was blocked in the meantime, the response may already have arrived
  await turn();
  throw new Error(`no response within ${patience} ms`);
}

/** The statement that notes a write of a user, to be run after its commit: the log has come that far by then. */
export const noteWrite = (userId: string): Sql => sql`insert into last_write as known (user_id, position, written_at)
  values (${userId}::uuid, pg_current_wal_insert_lsn(), now())
  on conflict (user_id) do update set position = greatest(known.position, excluded.position), written_at = now()`;

/**
 * Deletes positions that the primary has not come to: a dump has those of its own cluster, which no replica of this one would
 * reach for long.
 */
export const forgetForeignWrites: Sql = sql`delete from last_write where position > pg_current_wal_insert_lsn()`;

/**
 * How far the log of the primary had come when each user last wrote, in whichever process: what they read from a replica must
 * contain it (note 0073). It is asked of the primary for each request that reads from a replica, by one statement at a time
 * for all requests that wait.
 */
export class LastWrites {
  readonly #primary: Pool;
  #last: Promise<unknown> = Promise.resolve();
  /** Users who are asked for by the next statement, and its result. */
  #next: { users: Set<string>; found: Promise<ReadonlyMap<string, LogPosition>> } | null = null;

  constructor(primary: Pool) {
    this.#primary = primary;
  }

  /** What a replica must have replayed so that a user reads their own writes from it; {@link primaryOnly} if that is not known. */
  async of(userId: string): Promise<LogPosition> {
    this.#next ??= this.#gather();
    const { users, found } = this.#next;
    users.add(userId);
    return await found.then(
      (positions) => positions.get(userId) ?? anywhere,
      () => primaryOnly,
    );
  }

  /** Gathers users until the statement before has been answered. */
  #gather() {
    const users = new Set<string>();
    const found = this.#last.then(async () => {
      this.#next = null;
      const { rows } = await this.#primary.query<{ user_id: string; position: LogPosition }>({
        name: 'gateway_last_writes',
        text: `select user_id, (position - '0/0'::pg_lsn)::float8 as position from last_write where user_id = any($1::uuid[])`,
        values: [[...users]],
      });
      return new Map(rows.map(({ user_id, position }) => [user_id, position]));
    });
    this.#last = found.catch(() => undefined);
    return { users, found };
  }
}

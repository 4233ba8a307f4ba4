import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { askInTime } from './session.ts';
import { built, prepared } from './statement.ts';

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

export async function positionOf(pool: Pool): Promise<LogPosition> {
  const rows = await askInTime<{ position: LogPosition | null }>(pool, { text: position }, patience);
  return rows[0]?.position ?? anywhere;
}

/** The statement that notes a write of a user, to be run after its commit: the log has come that far by then. */
export const noteWrite = prepared(
  (at: { userId: string }) => sql`insert into "last_write" ("user_id", "position", "written_at")
    values (${at.userId}, pg_current_wal_insert_lsn(), now()) on conflict ("user_id") do update
    set "position" = greatest("last_write"."position", "excluded"."position"), "written_at" = now()`,
);

/** A dump has positions of another cluster, which no replica of this one may reach for long. */
export const forgetForeignWrites = built(sql`delete from "last_write" where "position" > pg_current_wal_insert_lsn()`);

/** How far the log of the primary was when each user last wrote, in any process. One statement at a time reads it. */
export class LastWrites {
  readonly #positions: DataLoader<string, LogPosition>;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(primary: Pool) {
    const ask = (userIds: readonly string[]) => {
      const found = lastWritesOf(primary, userIds);
      this.#asking = found.catch(() => undefined);
      return found;
    };
    const batchScheduleFn = (send: () => void) => void this.#asking.then(send);
    this.#positions = new DataLoader(ask, { cache: false, batchScheduleFn });
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

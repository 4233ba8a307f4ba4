import type { Pool } from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { keptName } from './kept-statements.ts';
import { Statement } from './statement.ts';

/** A position in the log of the primary, in bytes from its beginning; exact up to nine petabytes. */
export type LogPosition = number;

/** What a replica must have replayed for a read: nothing in particular, or more than any has. */
export const anywhere: LogPosition = 0;
export const primaryOnly: LogPosition = Number.POSITIVE_INFINITY;

/** Users who ask at the same time, answered by one statement. */
interface Batch {
  users: Set<string>;
  found: Promise<ReadonlyMap<string, LogPosition>>;
}

/**
 * How far the log of the primary had come when each user last wrote, in whichever process: what they read from a replica must
 * contain it (note 0073). It is asked of the primary for each request that reads from a replica, by one statement at a time
 * for all requests that wait.
 */
export class LastWrites {
  readonly #primary: Pool;
  #last: Promise<unknown> = Promise.resolve();
  #gathering: Batch | null = null;

  constructor(primary: Pool) {
    this.#primary = primary;
  }

  /** The statement that notes a write of a user, to be run after its commit: the log has come that far by then. */
  static note(userId: string): Sql {
    return sql`insert into last_write as known (user_id, position, written_at)
      values (${userId}::uuid, pg_current_wal_insert_lsn(), now())
      on conflict (user_id) do update set position = greatest(known.position, excluded.position), written_at = now()`;
  }

  /**
   * Deletes positions that the primary has not come to: a dump has those of its own cluster, which no replica of this one would
   * reach for long.
   */
  static readonly forgetForeign: Sql = sql`delete from last_write where position > pg_current_wal_insert_lsn()`;

  /** What a replica must have replayed so that a user reads their own writes from it; {@link primaryOnly} if that is not known. */
  async of(userId: string): Promise<LogPosition> {
    this.#gathering ??= this.#begin();
    const { users, found } = this.#gathering;
    users.add(userId);
    try {
      return (await found).get(userId) ?? anywhere;
    } catch {
      return primaryOnly;
    }
  }

  /** Gathers users until the statement before has been answered. */
  #begin(): Batch {
    const users = new Set<string>();
    const found = this.#last.then(async () => {
      this.#gathering = null;
      return await this.#ask([...users]);
    });
    this.#last = found.catch(() => undefined);
    return { users, found };
  }

  async #ask(users: string[]): Promise<ReadonlyMap<string, LogPosition>> {
    const { text, values } = sql`select user_id, (position - '0/0'::pg_lsn)::float8 as position from last_write
      where user_id = any(${users}::uuid[])`;
    const rows = await new Statement(keptName(text, values), text).run(this.#primary, values);
    return new Map(rows.map((row) => [row.user_id as string, row.position as number]));
  }
}

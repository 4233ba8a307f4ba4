import type { Pool } from 'pg';
import type { LogPosition } from './last-writes.ts';

/** Milliseconds between two looks. */
const interval = 1_000;
/** How many looks are remembered: a replica that is further behind counts as behind by as much. */
const remembered = 3_600;

/**
 * How far a server has come: a replica in replaying the log, the primary in writing it to disk, which is what replicas can get.
 * In bytes, as a double.
 */
export const positionSql = `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::float8 as position`;

/** A connection that does not answer is closed (note 0049). */
const question = { text: positionSql, query_timeout: 2_000 };

/**
 * Remembers how far the log of the primary had come at each second, so that the position of a replica tells for how long it has
 * been behind, whether it replays slowly or gets nothing any more; a replica by itself cannot tell that.
 */
export class PrimaryLog {
  readonly #primary: Pool;
  readonly #looks: { position: LogPosition; at: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(primary: Pool) {
    this.#primary = primary;
    this.#look();
  }

  /** Seconds since the primary passed a position; 0 if it has not. */
  secondsPast(position: LogPosition): number {
    const passed = this.#looks.find((look) => look.position > position);
    return passed ? (performance.now() - passed.at) / 1000 : 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #look(): void {
    this.#looking = this.#ask().finally(() => {
      if (this.#closed) return;
      this.#timer = setTimeout(() => this.#look(), interval);
      this.#timer.unref();
    });
  }

  async #ask(): Promise<void> {
    try {
      const { rows } = await this.#primary.query<{ position: LogPosition }>(question);
      const position = rows[0]?.position as LogPosition;
      // while nothing is written there is nothing new to remember
      const last = this.#looks.at(-1)?.position ?? 0;
      if (position === last) return;
      // another server has become the primary
      if (position < last) this.#looks.length = 0;
      this.#looks.push({ position, at: performance.now() });
      if (this.#looks.length > remembered) this.#looks.shift();
    } catch {
      // the primary is lost, so replicas are behind nothing
    }
  }
}

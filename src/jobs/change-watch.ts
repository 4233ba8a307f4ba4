import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { snapshotSql } from '../domain/change/log.sql.ts';
import { type Moment, momentOf } from '../domain/change/place.ts';
import type { Database } from '../engine/database.ts';
import type { Log } from '../kernel/request.ts';

interface WatchOptions {
  db: Database;
  log: Log;
  /** Milliseconds between polls, and so the maximum delay of what other processes commit. */
  interval?: number;
}

/** Milliseconds in which the commits of this process are looked for together. */
const gathering = 20;

/**
 * Wakes those who wait for changes of an organization. While somebody waits, one statement at a time asks which organizations
 * have changed since the last one: after the commits of this process, and for those of others every half second. Commits
 * themselves notify nobody, since PostgreSQL would let them wait for each other (note 0058).
 */
export class ChangeWatch {
  readonly #options: WatchOptions;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #everywhere = new Set<(organizationIds: readonly string[] | null) => void>();
  readonly #ending = new AbortController();
  #watching: Promise<void> | null = null;
  /** Up to when it is known who has been woken; null if it is not. */
  #moment: Moment | null = null;
  /** Cuts the time between two polls short. */
  #pause = new AbortController();
  #failed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Aborted when the service stops: whoever waits then ends. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** How many watch. */
  get waiting(): number {
    return [...this.#watchers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Looks for changes soon, after a commit of this process. */
  nudge(): void {
    this.#pause.abort();
  }

  /**
   * Calls `wake` whenever the organization may have changed; a wake can be one too many. Read after calling this: what is
   * committed after that reading will wake.
   *
   * @returns ends it
   */
  watch(organizationId: string, wake: () => void): () => void {
    const watchers = this.#watchers.get(organizationId) ?? new Set();
    this.#watchers.set(organizationId, watchers.add(wake));
    this.#watching ??= this.#watch();
    return () => {
      watchers.delete(wake);
      if (watchers.size === 0 && this.#watchers.get(organizationId) === watchers) {
        this.#watchers.delete(organizationId);
      }
    };
  }

  /**
   * Calls `wake` with the organizations that may have changed; with null if that may be any.
   *
   * @returns ends it
   */
  watchAll(wake: (organizationIds: readonly string[] | null) => void): () => void {
    this.#everywhere.add(wake);
    this.#watching ??= this.#watch();
    return () => void this.#everywhere.delete(wake);
  }

  /** Ends all waiting. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#pause.abort();
    await this.#watching;
  }

  /** Asks as long as somebody waits. */
  async #watch(): Promise<void> {
    const { log, interval = 500 } = this.#options;
    while (this.#watchers.size + this.#everywhere.size > 0 && !this.#ending.signal.aborted) {
      this.#pause = new AbortController();
      try {
        const changed = await this.#changed();
        for (const wake of this.#everywhere) wake(changed);
        for (const organizationId of changed ?? [...this.#watchers.keys()]) {
          for (const wake of this.#watchers.get(organizationId) ?? []) wake();
        }
        this.#failed = false;
      } catch (error) {
        if (!this.#failed) log.warn({ err: error }, 'cannot look for changes');
        this.#failed = true;
      }
      await sleep(interval, undefined, { signal: this.#pause.signal, ref: false }).catch(() => sleep(gathering));
    }
    this.#watching = null;
    this.#moment = null;
  }

  /** The organizations that have changed; null if it is not known since when. */
  async #changed(): Promise<string[] | null> {
    const moment = this.#moment;
    const written = moment
      ? sql`array(select distinct organization_id from change
          where x >= ${String(moment.from)}::xid8 or x = any(${moment.open.map(String)}::xid8[]))`
      : sql`null::uuid[]`;
    const row = await this.#options.db.row<{ snapshot: string; ahead: number; written: string[] | null }>(
      sql`select ${snapshotSql}, ${written} as written`,
    );
    if (!row) throw new Error('a select without a table returned no row');
    this.#moment = momentOf(row.snapshot, row.ahead);
    return row.written;
  }
}

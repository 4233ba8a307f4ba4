import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Moment, momentOf } from '#log-places';
import { built } from '#postgres-access';
import { snapshotSql } from '../domain/change/read-log.ts';
import type { Database } from '../engine/database.ts';
import { lookUpOnly } from '../engine/planner.ts';
import type { Log } from '../kernel/request.ts';

interface WatchOptions {
  db: Database;
  log: Log;
  /** Milliseconds between polls: the maximum delay of changes of other processes. */
  interval?: number;
}

/** Milliseconds during which the commits of this process are gathered. */
const gathering = 20;

/**
 * Wakes readers that wait for changes of an organization: soon after commits of this process; for those of others, one statement
 * every half second asks which organizations have changed. Commits do not `notify`: in PostgreSQL they would wait for each other
 * (note 0058).
 */
export class ChangeWatch {
  readonly #options: WatchOptions;
  readonly #watchers = new Set<(changed: ReadonlySet<string> | null) => void>();
  readonly #stop = new AbortController();
  /** Aborted when the service stops. */
  readonly ending = this.#stop.signal;
  #watching: Promise<void> | null = null;
  /** The moment up to which all readers have been woken, of which server; null if unknown. */
  #known: { moment: Moment; server: string } | null = null;
  #committed = new Set<string>();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  waiting = 0;

  /** Wakes the watchers of these organizations soon; call it after a commit of this process. */
  wake(organizationIds: Iterable<string>): void {
    const wakeGathered = () => {
      const committed = this.#committed;
      this.#committed = new Set();
      this.#wake(committed);
    };
    if (this.#committed.size === 0) setTimeout(wakeGathered, gathering).unref();
    for (const id of organizationIds) this.#committed.add(id);
  }

  /** Calls `wake` whenever the organization may have changed. Read after calling this: later commits will wake. Returns its end. */
  watch(organizationId: string, wake: () => void): () => void {
    const unwatch = this.watchAll((changed) => {
      if (changed?.has(organizationId) ?? true) wake();
    });
    this.waiting += 1;
    return () => {
      if (unwatch()) this.waiting -= 1;
    };
  }

  /** Calls `wake` with the organizations that may have changed; null for any. Returns its end, which is false if it had ended before. */
  watchAll(wake: (changed: ReadonlySet<string> | null) => void): () => boolean {
    this.#watchers.add(wake);
    this.#watching ??= this.#watch();
    return () => this.#watchers.delete(wake);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  #wake(changed: ReadonlySet<string> | null): void {
    for (const wake of this.#watchers) wake(changed);
  }

  async #watch(): Promise<void> {
    const { log, interval = 500 } = this.#options;
    let failed = false;
    while (this.#watchers.size > 0 && !this.ending.aborted) {
      try {
        this.#wake(await this.#changed());
        failed = false;
      } catch (error) {
        if (!failed) log.warn({ err: error }, 'cannot look for changes');
        failed = true;
      }
      await sleep(interval, undefined, { signal: this.ending, ref: false }).catch(() => undefined);
    }
    this.#watching = null;
    this.#known = null;
  }

  /** The organizations that have changed since the last call; null if that is unknown. */
  async #changed(): Promise<Set<string> | null> {
    const known = this.#known;
    const moment = known?.moment;
    const written = moment
      ? sql`array(select distinct organization_id from change
          where x >= ${String(moment.from)}::xid8 or x = any(${moment.open.map(String)}::xid8[]))`
      : sql`null::uuid[]`;
    const read = sql<{ snapshot: string; ahead: number; server: string; written: string[] | null }>`
      select ${snapshotSql}, pg_postmaster_start_time()::text as server, ${written} as written`;
    // without statistics of the log, PostgreSQL would scan a third of it for the last few changes
    const row = await this.#options.db.row(built(read), lookUpOnly);
    if (!row) throw new Error('a select without a table returned no row');
    this.#known = { moment: momentOf(row.snapshot, row.ahead), server: row.server };
    // a promoted standby may lack transactions of the former primary, and reuses their numbers
    return known?.server === row.server && row.written ? new Set(row.written) : null;
  }
}

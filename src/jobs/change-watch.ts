import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { type Moment, momentOf } from '../domain/change/place.ts';
import { snapshotSql } from '../domain/change/read-changes.ts';
import type { Database } from '../engine/database.ts';
import { lookUpOnly } from '../engine/jobs/job-queue.ts';
import type { Log } from '../kernel/request.ts';

interface WatchOptions {
  db: Database;
  log: Log;
  /** Milliseconds between polls, and so the maximum delay of what other processes commit. */
  interval?: number;
}

/** Milliseconds in which the commits of this process are gathered. */
const gathering = 20;

/**
 * Wakes those who wait for changes of an organization: after the commits of this process at once, since it knows which organizations
 * they have changed. While somebody waits, one statement every half second asks which organizations the commits of others have
 * changed. Commits themselves notify nobody, since PostgreSQL would let them wait for each other (note 0058).
 */
export class ChangeWatch {
  readonly #options: WatchOptions;
  readonly #watchers = new Set<(changed: ReadonlySet<string> | null) => void>();
  readonly #ending = new AbortController();
  #watching: Promise<void> | null = null;
  /** Up to when it is known who has been woken, and by which server; null if it is not. */
  #known: { moment: Moment; server: string } | null = null;
  /** The organizations that commits of this process have changed. */
  #committed = new Set<string>();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Aborted when the service stops: all waiting ends then. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** How many watch one organization. */
  waiting = 0;

  /** Wakes those who wait for changes of these organizations soon, after a commit of this process. */
  wake(organizationIds: Iterable<string>): void {
    const wakeGathered = () => {
      const committed = this.#committed;
      this.#committed = new Set();
      this.#wake(committed);
    };
    if (this.#committed.size === 0) setTimeout(wakeGathered, gathering).unref();
    for (const id of organizationIds) this.#committed.add(id);
  }

  /**
   * Calls `wake` whenever the organization may have changed; a wake can be one too many. Read after calling this: what is
   * committed after that reading will wake.
   *
   * @returns ends it
   */
  watch(organizationId: string, wake: () => void): () => void {
    const unwatch = this.watchAll((changed) => {
      if (changed?.has(organizationId) ?? true) wake();
    });
    this.waiting += 1;
    return () => {
      if (unwatch()) this.waiting -= 1;
    };
  }

  /**
   * Calls `wake` with the organizations that may have changed; with null if that may be any.
   *
   * @returns ends it, and returns whether it had not ended yet
   */
  watchAll(wake: (changed: ReadonlySet<string> | null) => void): () => boolean {
    this.#watchers.add(wake);
    this.#watching ??= this.#watch();
    return () => this.#watchers.delete(wake);
  }

  /** Ends all waiting. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#watching;
  }

  /** @param changed organizations; null if it may be any */
  #wake(changed: ReadonlySet<string> | null): void {
    for (const wake of this.#watchers) wake(changed);
  }

  /** Asks as long as somebody waits. */
  async #watch(): Promise<void> {
    const { log, interval = 500 } = this.#options;
    let failed = false;
    while (this.#watchers.size > 0 && !this.#ending.signal.aborted) {
      try {
        this.#wake(await this.#changed());
        failed = false;
      } catch (error) {
        if (!failed) log.warn({ err: error }, 'cannot look for changes');
        failed = true;
      }
      await sleep(interval, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined);
    }
    this.#watching = null;
    this.#known = null;
  }

  /** The organizations that have changed; null if it is not known since when. */
  async #changed(): Promise<Set<string> | null> {
    const known = this.#known;
    const moment = known?.moment;
    const written = moment
      ? sql`array(select distinct organization_id from change
          where x >= ${String(moment.from)}::xid8 or x = any(${moment.open.map(String)}::xid8[]))`
      : sql`null::uuid[]`;
    const row = await this.#options.db.transaction(async (unit) => {
      // while PostgreSQL has no statistics of the log, it would scan a third of it for the last few changes
      await unit.run(lookUpOnly);
      return await unit.row<{ snapshot: string; ahead: number; server: string; written: string[] | null }>(
        sql`select ${snapshotSql}, pg_postmaster_start_time()::text as server, ${written} as written`,
      );
    });
    if (!row) throw new Error('a select without a table returned no row');
    this.#known = { moment: momentOf(row.snapshot, row.ahead), server: row.server };
    // a standby that was promoted may lack transactions of the former primary, and numbers its own as it numbered those
    return known?.server === row.server && row.written ? new Set(row.written) : null;
  }
}

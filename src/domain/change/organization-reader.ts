import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment, Place } from '#log-places';
import type { Database } from '../../engine/database.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/request.ts';
import { Signal } from '../../kernel/signal.ts';
import { pause, placeAtEnd, type ReadChange, readChanges } from './read-changes.ts';

/** Changes of all views, as they were read together. */
export interface Batch {
  items: ReadChange[];
  /** The moment up to which everything has been read with this batch; null if more follows. */
  caughtUpAt: Moment | null;
}

export interface Follower {
  take(batch: Batch): void;
  /** The log cannot be followed from where the reader is: followers begin again. */
  end(error: DomainError): void;
}

export interface ReaderOptions {
  db: Database;
  /** Calls `wake` when the organization may have changed, until the returned function is called. */
  watch(organizationId: string, wake: () => void): () => void;
  retentionDays: number;
  log: Log;
}

/** How many changes are read at a time. */
const batchSize = 200;

/**
 * Reads the log of one organization for all its open streams on this process, so that a change is read once, however many
 * follow it. Begins with the first stream and ends with the last.
 */
export class OrganizationReader {
  readonly #organizationId: string;
  readonly #options: ReaderOptions;
  readonly #followers = new Set<Follower>();
  readonly #signal = new Signal();
  #beginning: Promise<void> | null = null;

  constructor(organizationId: string, options: ReaderOptions) {
    this.#organizationId = organizationId;
    this.#options = options;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /**
   * Passes every batch to a follower: all changes that are committed after this has resolved, and maybe earlier ones.
   *
   * @returns ends it
   */
  async follow(follower: Follower): Promise<() => void> {
    this.#followers.add(follower);
    const leave = () => {
      this.#followers.delete(follower);
      this.#signal.wake();
    };
    this.#beginning ??= this.#begin();
    await this.#beginning.catch((error) => {
      leave();
      throw error;
    });
    return leave;
  }

  async #begin(): Promise<void> {
    const { db, watch } = this.#options;
    const unwatch = watch(this.#organizationId, this.#signal.wake);
    const end = () => {
      unwatch();
      this.#beginning = null;
    };
    const place = await placeAtEnd(db, this.#organizationId, new Date()).catch((error) => {
      end();
      throw error;
    });
    void this.#read(place, end);
  }

  async #read(from: Place, end: () => void): Promise<void> {
    const { db, retentionDays, log } = this.#options;
    const organizationId = this.#organizationId;
    let place = from;
    while (this.isFollowed) {
      try {
        const options = { place, limit: batchSize, now: new Date(), retentionDays };
        const { items, next, hasMore } = await readChanges(db, { organizationId }, options);
        place = next;
        const batch = { items, caughtUpAt: hasMore ? null : next.moment };
        if (items.length > 0) for (const follower of this.#followers) follower.take(batch);
        if (!hasMore) await this.#signal.wait();
        // one of very many open transactions wrote the next change (note 0058)
        else if (items.length === 0) await sleep(pause);
      } catch (error) {
        if (error instanceof DomainError && error.code === 'CURSOR_EXPIRED') {
          for (const follower of this.#followers) follower.end(error);
          this.#followers.clear();
        }
        log.warn({ err: error, organizationId }, 'cannot read the log of changes');
        if (this.isFollowed) await sleep(pause);
      }
    }
    // in the same step as the check: later followers begin again
    end();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Bounds } from '../config/bounds.ts';
import type { Database } from '../domain/database.ts';
import type { Log } from '../domain/request.ts';
import { deleteGuestLinks } from './sweep/guest-links.ts';
import { overRules } from './sweep/over-rules.ts';
import { deleteUnprovenAccounts } from './sweep/unproven-accounts.ts';

type RetentionDays = Bounds['retentionDays'];

export interface SweepOptions {
  retentionDays: RetentionDays;
  /** Ends the sweep after the current batch. */
  signal?: AbortSignal;
}

/** How many rows one statement deletes: it holds their locks for a few milliseconds. */
export const batchSize = 500;

/**
 * Deletes expired rows in batches of alternating kinds until none are left. Several processes may sweep at once: each
 * takes rows that no other has locked. A batch is followed by a pause of the same length, so that many rows are no burden.
 */
export async function sweep(db: Database, { retentionDays, signal }: SweepOptions): Promise<void> {
  let left = [
    ...overRules(retentionDays, batchSize).map((statement) => async () => await db.rows(statement)),
    () => deleteGuestLinks(db, batchSize),
    () => deleteUnprovenAccounts(db, retentionDays.unprovenAccounts, batchSize),
  ];
  while (left.length > 0) {
    const further: typeof left = [];
    for (const batch of left) {
      if (signal?.aborted) return;
      const began = performance.now();
      if ((await batch()).length === batchSize) further.push(batch);
      await sleep(performance.now() - began, undefined, { signal, ref: false }).catch(() => undefined);
    }
    left = further;
  }
}

export interface SweepingOptions {
  retentionDays: RetentionDays;
  /** Deletes expired files. */
  files: () => Promise<void>;
  log: Log;
  /** Milliseconds between two sweeps; ten minutes unless given. */
  interval?: number;
}

/** Sweeps periodically until it is stopped. */
export function startSweeping(db: Database, options: SweepingOptions): { stop(): Promise<void> } {
  const { retentionDays, files, log, interval = 10 * 60_000 } = options;
  const stopped = new AbortController();
  let running: Promise<void> | null = null;
  const run = async () => {
    const failed = (error: unknown) => log.warn({ err: error }, 'cannot delete expired rows');
    await sweep(db, { retentionDays, signal: stopped.signal }).catch(failed);
    await files().catch(failed);
    running = null;
  };
  const timer = setInterval(() => {
    running ??= run();
  }, interval);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopped.abort();
      await running;
    },
  };
}

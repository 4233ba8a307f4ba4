import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../engine/database.ts';
import { deleteUnprovenAccounts, expiryRules, type RetentionDays } from './expired.ts';

interface SweepOptions {
  retentionDays: RetentionDays;
  signal?: AbortSignal;
}

/** Rows: usually a statement holds the locks of the first for a few milliseconds. After a timeout, the next is a tenth. */
const batchSize = { first: 500, last: 5 };

interface SweepFailure {
  rows: string;
  error: unknown;
}

interface Kind {
  name: string;
  /** Deletes a batch; returns as many rows as requested, or fewer at the end. */
  batch: (size: number) => Promise<unknown[]>;
  /** Of the next batch, if not the first. */
  size?: number;
}

/**
 * Deletes expired rows in batches of alternating kinds until none are left, with a pause after each batch for as long as it took, to
 * limit the load. Several processes may sweep at once: each skips rows that another has locked.
 *
 * @returns the kinds that could not be deleted; a failure of one does not stop the others
 */
export async function sweep(db: Database, { retentionDays, signal }: SweepOptions): Promise<SweepFailure[]> {
  const failures: SweepFailure[] = [];
  const byStatement = expiryRules(retentionDays).map(
    ({ name, statement }): Kind => ({ name, batch: (size) => db.rows(statement(size)) }),
  );
  const accounts = (size: number) => deleteUnprovenAccounts(db, retentionDays.unprovenAccounts, size);
  const left = new Set<Kind>([...byStatement, { name: 'pending_sign_up', batch: accounts }]);
  while (left.size > 0) {
    for (const kind of left) {
      if (signal?.aborted) return failures;
      const began = performance.now();
      const isMore = await deleteBatch(kind).catch((error: unknown) => {
        failures.push({ rows: kind.name, error });
        return false;
      });
      if (!isMore) left.delete(kind);
      await sleep(performance.now() - began, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  return failures;
}

/** Deletes a batch; returns whether there may be more. */
async function deleteBatch(kind: Kind): Promise<boolean> {
  const { size = batchSize.first } = kind;
  try {
    return (await kind.batch(size)).length === size;
  } catch (error) {
    if (!isTimeout(error) || size <= batchSize.last) throw error;
    kind.size = size / 10;
    return true;
  }
}

/** Whether PostgreSQL cancelled the statement: fewer rows may take less time. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014';
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../engine/database.ts';
import { deleteUnprovenAccounts, expiryRules, guestLinksSql, oldChangesSql, type RetentionDays } from './expired.ts';

interface SweepOptions {
  retentionDays: RetentionDays;
  signal?: AbortSignal;
  /** The batch size of each kind, which the next sweep starts with. */
  sizes?: Map<string, number>;
}

/** Rows: usually a statement holds their locks for a few milliseconds. */
const largestBatch = 500;
/** Milliseconds, far below the statement timeout; if a batch takes longer, the next one is half as large. */
const longestBatch = 500;

interface SweepFailure {
  rows: string;
  error: unknown;
}

interface Kind {
  name: string;
  /** Deletes a batch; returns as many rows as requested, or fewer at the end. */
  batch: (size: number) => Promise<unknown[]>;
}

/**
 * Deletes expired rows in batches of alternating kinds until none are left, with a pause after each batch for as long as it took, to
 * limit the load. Several processes may sweep at once: each skips rows that another has locked.
 *
 * @returns the kinds that could not be deleted; a failure of one does not stop the others
 */
export async function sweep(
  db: Database,
  { retentionDays, signal, sizes = new Map() }: SweepOptions,
): Promise<SweepFailure[]> {
  const failures: SweepFailure[] = [];
  let left: Kind[] = [
    ...expiryRules(retentionDays).map(({ name, statement }) => ({
      name,
      batch: (size: number) => db.rows(statement(size)),
    })),
    { name: 'change', batch: (size) => db.rows(oldChangesSql(retentionDays.changes, size)) },
    { name: 'guest_link', batch: (size) => db.rows(guestLinksSql(size)) },
    { name: 'pending_sign_up', batch: (size) => deleteUnprovenAccounts(db, retentionDays.unprovenAccounts, size) },
  ];
  while (left.length > 0) {
    const further: Kind[] = [];
    for (const kind of left) {
      if (signal?.aborted) return failures;
      const began = performance.now();
      const isMore = await deleteBatch(kind, sizes).catch((error: unknown) => {
        failures.push({ rows: kind.name, error });
        return false;
      });
      if (isMore) further.push(kind);
      await sleep(performance.now() - began, undefined, { signal, ref: false }).catch(() => undefined);
    }
    left = further;
  }
  return failures;
}

/** Deletes a batch, and adapts the size of the next one; returns whether there may be more. */
async function deleteBatch({ name, batch }: Kind, sizes: Map<string, number>): Promise<boolean> {
  const size = sizes.get(name) ?? largestBatch;
  const began = performance.now();
  try {
    const isMore = (await batch(size)).length === size;
    const took = performance.now() - began;
    if (took > longestBatch) sizes.set(name, half(size));
    else if (took < longestBatch / 4) sizes.set(name, Math.min(size * 2, largestBatch));
    return isMore;
  } catch (error) {
    sizes.set(name, half(size));
    if (isTimeout(error) && size > 1) return true;
    throw error;
  }
}

const half = (size: number) => Math.max(1, Math.floor(size / 2));

/** Whether PostgreSQL cancelled the statement: fewer rows may take less time. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014';
}

import type { Database, UnitOfWork } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';

/** What looking for due events needs. */
export interface DueScope {
  db: Database;
  /** Whether what is too much for a recipient becomes a digest. */
  bounded: boolean;
  log: Log;
}

/** Rows that a page of due events has at most. */
export const duePage = 100;

/**
 * Runs `work` for each due event, in a transaction of its own. If it fails, the others still have their turn, and this one
 * is due again with the next look.
 *
 * @param page the first due events after one, in the order of their ids
 */
export async function forEachDueEvent(
  { db, bounded, log }: DueScope,
  page: (after: string) => Promise<{ id: string }[]>,
  work: (tx: { db: UnitOfWork; bounded: boolean }, eventId: string) => Promise<void>,
): Promise<void> {
  let due = await page('00000000-0000-0000-0000-000000000000');
  while (due.length > 0) {
    for (const { id } of due) {
      await db
        .transaction((unit) => work({ db: unit, bounded }, id))
        .catch((error: unknown) => log.warn({ err: error, event: id }, 'cannot queue due mails about an event'));
    }
    due = due.length < duePage ? [] : await page(due.at(-1)?.id as string);
  }
}

import type { Database, UnitOfWork } from '../../engine/database.ts';
import { lowestId } from '../../engine/position.ts';
import type { Log } from '../../kernel/request.ts';

export interface DueScope {
  db: Database;
  /** Whether mails beyond a recipient's budget become a digest. */
  bounded: boolean;
  log: Log;
}

export const duePage = 100;

/**
 * Runs `work` for each due event, in its own transaction. An event that fails is due again next time.
 * @param page the first due events after an id, ordered by id
 * @returns whether there were any
 */
export async function forEachDueEvent(
  { db, bounded, log }: DueScope,
  page: (after: string) => Promise<{ id: string }[]>,
  work: (tx: { db: UnitOfWork; bounded: boolean }, eventId: string) => Promise<void>,
): Promise<boolean> {
  let due = await page(lowestId);
  const wereDue = due.length > 0;
  while (due.length > 0) {
    for (const { id } of due) {
      await db
        .transaction((unit) => work({ db: unit, bounded }, id))
        .catch((error: unknown) => log.warn({ err: error, event: id }, 'cannot queue due mails about an event'));
    }
    due = due.length < duePage ? [] : await page(due.at(-1)?.id as string);
  }
  return wereDue;
}

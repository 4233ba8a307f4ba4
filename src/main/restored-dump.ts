import type { Logger } from 'pino';
import { forgetForeignWrites } from '../db/access/last-writes.ts';
import { settleRestoredChanges } from '../domain/change/restored.ts';
import type { Database } from '../engine/database.ts';

/** A dump of another cluster has log positions and changes of that cluster. */
export async function settleRestoredDump(db: Database, log: Logger): Promise<void> {
  await db.run(forgetForeignWrites);
  const begin = () => log.info('the database was restored from a dump: marking its changes as long over');
  const changes = await settleRestoredChanges(db, { now: new Date(), begin });
  if (changes > 0) log.info({ changes }, 'the changes of the dump are marked');
}

import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';

/** A transaction that is over in every snapshot: the first that is not special to PostgreSQL. */
const longOver = '3';

/**
 * After a dump was restored into another cluster, changes have transaction numbers that this cluster has yet to reach; when it
 * does, they would be taken for new ones. Marks those transactions as long over (note 0058). Finds none otherwise: what is
 * visible was written before the snapshot.
 */
export async function settleRestoredChanges(db: Database): Promise<void> {
  await db.run(sql`update change set x = ${longOver}::xid8 where x >= pg_snapshot_xmax(pg_current_snapshot())`);
}

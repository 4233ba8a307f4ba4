import type { Database } from '../../engine/database.ts';
import { prepared } from '../../engine/statement.ts';
import { tables } from './tables.ts';

const lockOf = (table: 'organization' | 'user') =>
  prepared((at: { id: string }) => tables.selectFrom(table).select('id').where('id', '=', at.id).forNoKeyUpdate());

const locks = { organization: lockOf('organization'), user: lockOf('user') };

/** Locks a row until the end of the transaction. Foreign keys do not wait for this lock. */
export async function lockRow(db: Database, table: keyof typeof locks, id: string): Promise<void> {
  await db.row(locks[table]({ id }));
}

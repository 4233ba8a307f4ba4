import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import { tables } from './tables.ts';

const lockOf = (table: 'organization' | 'user') =>
  prepared((at: { id: string }) => tables.selectFrom(table).select('id').where('id', '=', at.id).forNoKeyUpdate());

const locks = { organization: lockOf('organization'), user: lockOf('user') };

/** Until the end of the transaction. Foreign keys do not wait for this lock. */
export async function lockRow(db: Database, table: keyof typeof locks, id: string): Promise<void> {
  await db.row(locks[table]({ id }));
}

const nameLock = prepared((at: { name: string }) =>
  tables.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${at.name}, 0))`.as('locked')),
);

/** Until the end of the transaction. The name stands for something that has no row. */
export async function lockName(db: Pick<Database, 'row'>, name: string): Promise<void> {
  await db.row(nameLock({ name }));
}

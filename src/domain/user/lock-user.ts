import sql from 'sql-template-tag';
import type { Transaction } from '../../engine/transaction.ts';
import { User } from './user.entity.ts';

/**
 * Locks a user until the end of the transaction; null if the account is gone. Foreign keys do not wait for this lock.
 */
export async function lockUser(tx: Transaction, id: string): Promise<User | null> {
  await tx.db.row(sql`select from "user" where id = ${id}::uuid for no key update`);
  return await tx.em.findOne(User, { id });
}

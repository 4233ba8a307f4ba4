import type { ViewerContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { lockRow } from '../tables/lock-row.ts';
import { User } from './user.entity.ts';

/**
 * Locks a user until the end of the transaction; null if the account is gone. Foreign keys do not wait for this lock.
 */
export async function lockUser(tx: Transaction, id: string): Promise<User | null> {
  await lockRow(tx.db, 'user', id);
  return await tx.em.findOne(User, { id });
}

/**
 * Locks the viewer's account until the end of the transaction. It may have been erased since the request was let in: the
 * row stays, without an address, and nothing of the person may come back to it.
 *
 * @throws DomainError INVALID_TOKEN if the account is gone
 */
export async function lockViewer(tx: Transaction<ViewerContext>): Promise<User & { email: string; mailbox: string }> {
  const user = await lockUser(tx, tx.viewer.userId);
  if (!user || !hasAddress(user)) throw new DomainError('INVALID_TOKEN');
  return user;
}

function hasAddress(user: User): user is User & { email: string; mailbox: string } {
  return user.email !== null && user.mailbox !== null;
}

import type { ViewerContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { lockRow } from '../tables/lock-row.ts';
import { User } from './user.entity.ts';

/** Until the end of the transaction; null if the account is gone. Foreign keys do not wait for this lock. */
export async function lockUser(tx: Transaction, id: string): Promise<User | null> {
  await lockRow(tx.db, 'user', id);
  return await tx.em.findOne(User, { id });
}

/**
 * Locks the viewer's account, which may have been erased since the request was let in: the row stays, without an address, and
 * nothing of the person may return to it.
 * @throws DomainError INVALID_TOKEN if the account is gone
 */
export async function lockViewer(tx: Transaction<ViewerContext>): Promise<Person> {
  const user = await lockUser(tx, tx.viewer.userId);
  if (!isPerson(user)) throw new DomainError('INVALID_TOKEN');
  return user;
}

/** Neither an API key nor somebody who was erased. */
export type Person = User & { email: string; mailbox: string };

export function isPerson(user: User | null | undefined): user is Person {
  return !!user && user.email !== null && user.mailbox !== null;
}

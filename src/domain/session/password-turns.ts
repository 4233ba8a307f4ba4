import type { Context } from '../../engine/context.ts';
import { clientNetworks } from '../../kernel/limits/client-network.ts';
import { FairQueue } from '../../kernel/turns/fair-queue.ts';

/**
 * The queues for password hashing in this process, for a few seconds of work. More attempts run at once than hashes
 * (password.ts), since each of them also uses the database. Sign-ups, which anyone can send, have a separate queue, so that
 * they never block sign-ins.
 */
const shares = {
  /** Everything that needs the password of an account or a mailed token. */
  sign_in: new FairQueue({ concurrency: 6, capacity: 250, pathConcurrency: 4, pathCapacity: 100 }),
  sign_up: new FairQueue({ concurrency: 2, capacity: 250, pathConcurrency: 2, pathCapacity: 100 }),
};

/**
 * Runs work that hashes a password when its turn comes: networks take turns, and within a network its accounts, so that
 * neither a network nor an account can block the others, even with correct passwords.
 *
 * @param account the id of the account, or the mailbox if there is no account
 * @throws DomainError SERVICE_UNAVAILABLE if the queue is full
 */
export async function takeTurn<T>(
  share: keyof typeof shares,
  ctx: Pick<Context, 'client'>,
  account: string,
  work: () => Promise<T>,
): Promise<T> {
  return await shares[share].run([...clientNetworks(ctx.client.ip).reverse(), account], work);
}

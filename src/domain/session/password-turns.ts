import type { Context } from '../../engine/context.ts';
import { clientNetworks } from '../../kernel/limits/client-network.ts';
import { FairQueue } from '../../kernel/turns/fair-queue.ts';

/**
 * The queues for password hashing in this process: a few seconds of work. More attempts run at once than hashes
 * (password.ts), since each also uses the database. Sign-ups, which anybody can send, have a separate queue, so that they
 * never keep anybody from signing in.
 */
const shares = {
  /** Everything that needs the password of an account or a mailed token. */
  sign_in: new FairQueue({ concurrency: 6, capacity: 250, pathConcurrency: 4, pathCapacity: 100 }),
  sign_up: new FairQueue({ concurrency: 2, capacity: 250, pathConcurrency: 2, pathCapacity: 100 }),
};

/**
 * Runs work that hashes a password when its turn comes: networks take turns, and within a network its accounts, so that
 * neither a network nor an account keeps the others waiting, even with correct passwords.
 *
 * @param account the id of an account, or an address without one
 * @throws DomainError SERVICE_UNAVAILABLE if too many wait
 */
export async function takeTurn<T>(
  share: keyof typeof shares,
  ctx: Pick<Context, 'client'>,
  account: string,
  work: () => Promise<T>,
): Promise<T> {
  return await shares[share].run([...clientNetworks(ctx.client.ip).reverse(), account], work);
}

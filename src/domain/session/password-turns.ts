import { type Entrant, FairQueue, type Turn } from '#fair-turns';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { clientNetworks } from '../../kernel/limits/client-network.ts';

/** Waiting attempts in all, and of one account in one network; seconds after which a refused client may retry. */
const bounds = { capacity: 250, ofAccount: 100, retryAfter: 5 };

/**
 * For password hashing in this process. More attempts run at once than hashes (the package `passwords`), since each also uses the
 * database. Sign-ups, which anyone can send, have their own queue, so that they never block sign-ins.
 */
const shares = {
  sign_in: passwordQueue({ running: 6, ofAccount: 4 }),
  sign_up: passwordQueue({ running: 2, ofAccount: 2 }),
};

function passwordQueue(max: { running: number; ofAccount: number }): FairQueue<readonly string[]> {
  const busy = () => new DomainError('SERVICE_UNAVAILABLE', { retryAfter: bounds.retryAfter });
  const queue: FairQueue<readonly string[]> = new FairQueue({
    kindOf: () => 'password',
    pathOf: (path) => path,
    mayStart: ({ path }) => queue.all.running < max.running && (path.at(-1) as Entrant).running < max.ofAccount,
    refusal: ({ path }) => ((path.at(-1) as Entrant).waiting < bounds.ofAccount ? null : busy()),
    busy,
    capacity: bounds.capacity,
    patience: null,
  });
  return queue;
}

/**
 * Runs work that hashes a password in its turn: networks take turns, and within a network its accounts, so that none blocks
 * the others, even with correct passwords.
 * @param account the id of the account, or the mailbox without one
 * @throws DomainError SERVICE_UNAVAILABLE if the queue is full
 */
export async function takePasswordTurn<T>(
  share: keyof typeof shares,
  ctx: Pick<Context, 'client'>,
  account: string,
  work: () => Promise<T>,
): Promise<T> {
  const [narrowest = '', ...wider] = clientNetworks(ctx.client.ip);
  // an account counts within its network
  const path = [...wider.reverse(), narrowest, `${narrowest} ${account}`];
  const turn = await new Promise<Turn>((resolve, reject) => {
    shares[share].enter(path, resolve, reject);
  });
  try {
    return await work();
  } finally {
    turn.end();
  }
}

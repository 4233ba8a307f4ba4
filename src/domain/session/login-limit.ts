import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { clientNetwork } from '../limits/client-network.ts';
import type { LimitKey } from '../limits/limits.ts';
import { WorkQueue } from './work-queue.ts';

/** Attempts on one account from one network that this process makes at once. */
const concurrency = 4;
/** Attempts of all accounts that this process makes or lets wait: what it can check in some seconds. */
const capacity = 250;
let attempts = 0;

/** The lines of the accounts that somebody signs in to at this moment. */
const lines = new Map<string, { queue: WorkQueue; users: number }>();

/**
 * Runs an attempt to sign in under the limits of decisions §3: ten failures of an account from a network, a hundred from
 * a network. An attempt is counted before its password is checked, so that many at once get no more guesses, and taken
 * back unless it fails; attempts at one account wait in line, so that many at once with the right password are not
 * mistaken for failures. A success starts the account's count anew.
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE, and what the attempt throws
 */
export async function limitLogin<T>(ctx: Context, email: string, attempt: () => Promise<T>): Promise<T> {
  const { limits } = ctx.services;
  if (!limits.enabled) return await attempt();
  const network = clientNetwork(ctx.client.ip);
  const account: LimitKey = { rule: 'login_account', key: `${network} ${email.normalize('NFC').toLowerCase()}` };
  const whole: LimitKey = { rule: 'login_network', key: network };
  return await inLine(account.key, async () => {
    await limits.take(account, whole);
    try {
      const result = await attempt();
      await Promise.all([limits.forget(account), limits.giveBack(whole)]);
      return result;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'USER_NOT_VERIFIED') {
        // the password was right
        await Promise.all([limits.forget(account), limits.giveBack(whole)]);
      } else if (!(error instanceof DomainError && error.code === 'INVALID_CREDENTIALS')) {
        // our own trouble is nobody's failure; where the database is away, the count stays
        await Promise.all([limits.giveBack(account), limits.giveBack(whole)]).catch(() => undefined);
      }
      throw error;
    }
  });
}

async function inLine<T>(key: string, job: () => Promise<T>): Promise<T> {
  if (attempts >= capacity) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 5 });
  const line = lines.get(key) ?? { queue: new WorkQueue(concurrency, capacity), users: 0 };
  lines.set(key, line);
  line.users += 1;
  attempts += 1;
  try {
    return await line.queue.run(job);
  } finally {
    attempts -= 1;
    line.users -= 1;
    if (line.users === 0) lines.delete(key);
  }
}

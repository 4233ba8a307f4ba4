import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors.ts';

const minute = 60;

/** How many `points` a key has in `duration` seconds, which run from its first (decisions §3). */
const rules = {
  /** Failed sign-ins of one account from one network. */
  login_account: { points: 10, duration: 15 * minute },
  /** Failed sign-ins from one network. */
  login_network: { points: 100, duration: 15 * minute },
  /** Sign-ups from one network, for which the visitors of an event may be behind one address: each costs a hash. */
  signup_network: { points: 1000, duration: 15 * minute },
  /** Requests for a mail from one network. */
  mail_network: { points: 1000, duration: 15 * minute },
  /** Uses of one-time tokens from one network. */
  token_network: { points: 1000, duration: 15 * minute },
  /** Mails that anyone may cause, to one mailbox. */
  mailbox: { points: 3, duration: 60 * minute },
};

export type LimitRule = keyof typeof rules;

/** What is counted: a rule, and for whom. */
export interface LimitKey {
  rule: LimitRule;
  /** An address, a mailbox, or several of them; only its hash is stored. */
  key: string;
}

/** The part of a `pg` pool that the counters need. */
export interface CounterStore {
  query(statement: { text: string; values: unknown[] }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

/**
 * Counts what is limited, in the table `rate_limit`, so that all processes count together. Where the database is away
 * nothing passes: whatever is limited needs it anyway (docs/decisions/0011).
 */
export class Limits {
  readonly #limiters: Map<LimitRule, RateLimiterPostgres> | null;

  /** @param store the primary database, or null to lift every limit */
  constructor(store: CounterStore | null) {
    this.#limiters =
      store &&
      new Map(
        Object.entries(rules).map(([rule, { points, duration }]) => [
          rule as LimitRule,
          new RateLimiterPostgres({
            storeClient: store,
            storeType: 'client',
            tableName: 'rate_limit',
            // a migration makes the table, and the service's own sweep empties it
            tableCreated: true,
            clearExpiredByTimeout: false,
            keyPrefix: rule,
            points,
            duration,
            // a key that is over its limit costs no further statement in this process
            inMemoryBlockOnConsumed: points + 1,
          }),
        ]),
      );
  }

  /** Whether anything is limited. */
  get enabled(): boolean {
    return this.#limiters !== null;
  }

  /**
   * Counts one under each key, all at once; under none of those that would allow it where one refuses.
   *
   * @throws DomainError RATE_LIMITED with the seconds to wait, where a key is over its limit
   */
  async take(...keys: LimitKey[]): Promise<void> {
    const waits = await Promise.all(keys.map((each) => this.#consume(each)));
    const longest = Math.max(...waits);
    if (longest === 0) return;
    await Promise.all(keys.filter((_, index) => waits[index] === 0).map((each) => this.giveBack(each)));
    throw new DomainError('RATE_LIMITED', { retryAfter: longest / 1000 });
  }

  /** Counts one under a key; whether it was within the limit. */
  async tryTake(key: LimitKey): Promise<boolean> {
    return (await this.#consume(key)) === 0;
  }

  /** Takes one back that was counted. */
  async giveBack({ rule, key }: LimitKey): Promise<void> {
    await this.#limiters?.get(rule)?.reward(hashed(key));
  }

  /** Starts the count of a key anew. */
  async forget({ rule, key }: LimitKey): Promise<void> {
    await this.#limiters?.get(rule)?.delete(hashed(key));
  }

  /** Milliseconds to wait; 0 where the key is within its limit. */
  async #consume({ rule, key }: LimitKey): Promise<number> {
    try {
      await this.#limiters?.get(rule)?.consume(hashed(key));
      return 0;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(refused.msBeforeNext, 1);
      throw refused;
    }
  }
}

/** An address is a personal datum, and has no length that fits a column. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

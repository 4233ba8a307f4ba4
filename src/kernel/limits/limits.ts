import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors.ts';
import { type Budget, signals } from '../usage.ts';
import { type Counted, type CounterStore, Counters, hashed } from './counters.ts';
import { KeptBytes, type KeptBytesBounds } from './kept-bytes.ts';

const minute = 60;

/**
 * Each key has `points` per `duration` seconds, counted from its first use
 * (interface/sign-in.md#limits-of-sign-in).
 */
const rules = {
  /** Failed sign-ins of one account from one network. */
  login_account: { points: 10, duration: 15 * minute },
  /** Failed sign-ins from one network. */
  login_network: { points: 100, duration: 15 * minute },
  /** Sign-ups from one network. Each costs a hash, but all visitors of an event may share one address. */
  signup_network: { points: 1000, duration: 15 * minute },
  /** Requests for a mail from one network. */
  mail_network: { points: 1000, duration: 15 * minute },
  /** Uses of one-time tokens from one network. */
  token_network: { points: 1000, duration: 15 * minute },
  // rules with _56 and _48 limit the larger IPv6 networks, since one customer may have thousands of /64
  // (client-network.ts); no network can use up the limit of the larger one around it
  /** Mails about subscriptions of guests, from one network. */
  guest_network: { points: 1000, duration: 15 * minute },
  guest_network_56: { points: 2000, duration: 15 * minute },
  guest_network_48: { points: 5000, duration: 15 * minute },
  /** Mails about subscriptions of guests to one event, to one mailbox. */
  guest_event: { points: 3, duration: 60 * minute },
  /** Mails about subscriptions of guests, to one mailbox. */
  guest_mailbox: { points: 10, duration: 60 * minute },
  login_network_56: { points: 300, duration: 15 * minute },
  login_network_48: { points: 1000, duration: 15 * minute },
  signup_network_56: { points: 2000, duration: 15 * minute },
  signup_network_48: { points: 5000, duration: 15 * minute },
  mail_network_56: { points: 2000, duration: 15 * minute },
  mail_network_48: { points: 5000, duration: 15 * minute },
  token_network_56: { points: 2000, duration: 15 * minute },
  token_network_48: { points: 5000, duration: 15 * minute },
  /** Sign-ins with unknown API keys from one network. */
  key_network: { points: 20, duration: minute },
  /** Writes of one account (interface/writes.md#write-limit). */
  write: { points: 300, duration: minute },
  /** Exports of one account: each creates an audit entry. */
  export: { points: 60, duration: minute },
  /** Exports of everything that is kept about one person. */
  person_export: { points: 3, duration: 60 * minute },
  /** Successful sign-ins of one account: each creates a session and an audit entry. */
  sign_in: { points: 300, duration: minute },
  /** Mails to one mailbox that anyone can trigger. */
  mailbox: { points: 3, duration: 60 * minute },
  /** Invitations by one user, to any organization. */
  invitations_inviter: { points: 20, duration: 60 * minute },
  /** Invitations to one organization, by any user. */
  invitations_organization: { points: 100, duration: 60 * minute },
  /** Invitation mails to one mailbox, from any organization; not counted under `mailbox`. */
  invitations_mailbox: { points: 3, duration: 60 * minute },
  /** Tests of the webhooks of one organization: each sends a request to an address that somebody chose. */
  webhook_tests: { points: 10, duration: minute },
  /** Mails about the events of one organization to one recipient. */
  recipient_mails: { points: 6, duration: 60 * minute },
  // effectively unlimited here: their limits grow with the organization (domain/mail/mail-budgets.ts)
  /** Mails of one organization to its subscribers. */
  event_mails: { points: 1_000_000_000, duration: 60 * minute },
  /** Mails of one organization to guests whose address is not verified yet. */
  guest_mails: { points: 1_000_000_000, duration: 60 * minute },
};

export type LimitRule = keyof typeof rules;

/** A rule, and the key to count under. */
export interface LimitKey {
  rule: LimitRule;
  /** An address, a mailbox, or several of them; only its hash is stored. */
  key: string;
  /** How many points to count; 1 if absent. */
  points?: number;
}

/**
 * Counts limited operations in the table `rate_limit`, which all processes share. If the database is down, they are all
 * refused: they need it anyway (note 0011).
 */
export class Limits {
  /** Limits writes by their size. */
  readonly keptBytes: KeptBytes;
  readonly #limiters: Map<LimitRule, SharedLimiter> | null;

  /** @param store the primary database, or null to switch all limits off */
  constructor(store: CounterStore | null, bounds: { keptBytes: KeptBytesBounds }) {
    const counters = store && new Counters(store);
    this.keptBytes = new KeptBytes(counters, bounds.keptBytes);
    this.#limiters =
      counters &&
      new Map(
        Object.entries(rules).map(([rule, { points, duration }]) => [
          rule as LimitRule,
          new SharedLimiter(counters, {
            storeClient: store,
            storeType: 'client',
            tableName: 'rate_limit',
            // a migration creates the table, and the sweep deletes expired rows
            tableCreated: true,
            clearExpiredByTimeout: false,
            keyPrefix: rule,
            points,
            duration,
            // this process refuses a key over its limit without another statement
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
   * Counts under each key, in parallel; if a key is over its limit, the others are not counted.
   *
   * @throws DomainError RATE_LIMITED with the seconds to wait, if a key is over its limit
   */
  async take(...keys: LimitKey[]): Promise<void> {
    await this.takeAndTell(keys, () => undefined);
  }

  /**
   * Like {@link take}.
   *
   * @param tell receives what is left of each limit; if some are exceeded, of these
   * @throws DomainError RATE_LIMITED
   */
  async takeAndTell(keys: readonly LimitKey[], tell: (budgets: Budget[]) => void): Promise<void> {
    const counts = await Promise.all(keys.map((each) => this.#consume(each)));
    const longest = Math.max(...counts.map(({ wait }) => wait));
    const told = counts.filter(({ wait }) => longest === 0 || wait > 0);
    tell(told.flatMap(({ budget }) => budget ?? []));
    if (longest === 0) return;
    await Promise.all(keys.filter((_, index) => counts[index]?.wait === 0).map((each) => this.giveBack(each)));
    throw new DomainError('RATE_LIMITED', { retryAfter: longest / 1000 });
  }

  /** Counts under a key; returns whether it was within the limit. */
  async tryTake(key: LimitKey): Promise<boolean> {
    return (await this.#consume(key)).wait === 0;
  }

  /** Like {@link take}, but returns whether every key was within its limit. */
  async tryTakeAll(...keys: LimitKey[]): Promise<boolean> {
    try {
      await this.take(...keys);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  }

  /** Like {@link tryTake}, but returns the seconds until the key may be within the limit; 0 if it is. */
  async takeOrWait(key: LimitKey): Promise<number> {
    return Math.ceil((await this.#consume(key)).wait / 1000);
  }

  /** Like {@link takeOrWait}, but with a limit that the caller passes; anything over it is not counted. */
  async takeUpTo(key: LimitKey, limit: number): Promise<number> {
    const counted = await this.#limiters?.get(key.rule)?.consume(hashed(key.key), key.points);
    if (!counted || counted.consumedPoints <= limit) return 0;
    signals.limitHit.send(key.rule);
    await this.giveBack(key);
    return Math.max(Math.ceil(counted.msBeforeNext / 1000), 1);
  }

  /** The seconds that {@link takeUpTo} would return, without counting. */
  async waitAt({ rule, key }: LimitKey, limit: number): Promise<number> {
    const counted = await this.#limiters?.get(rule)?.get(hashed(key));
    return counted && counted.consumedPoints >= limit ? Math.ceil(Math.max(counted.msBeforeNext, 0) / 1000) : 0;
  }

  /** Undoes one count. */
  async giveBack({ rule, key, points }: LimitKey): Promise<void> {
    await this.#limiters?.get(rule)?.reward(hashed(key), points);
  }

  /** Resets the count of a key. */
  async forget({ rule, key }: LimitKey): Promise<void> {
    await this.#limiters?.get(rule)?.delete(hashed(key));
  }

  async #consume({ rule, key, points }: LimitKey): Promise<Count> {
    try {
      const counted = await this.#limiters?.get(rule)?.consume(hashed(key), points);
      return { wait: 0, budget: counted ? budgetOf(rule, counted) : null };
    } catch (refused) {
      if (refused instanceof RateLimiterRes) {
        signals.limitHit.send(rule);
        return { wait: Math.max(refused.msBeforeNext, 1), budget: budgetOf(rule, refused) };
      }
      throw refused;
    }
  }
}

interface Count {
  /** Milliseconds to wait; 0 if the key is within its limit. */
  wait: number;
  /** Null if nothing is limited. */
  budget: Budget | null;
}

function budgetOf(rule: LimitRule, { remainingPoints, msBeforeNext }: RateLimiterRes): Budget {
  const { points: quota, duration: window } = rules[rule];
  const reset = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return { rule, quota, window, remaining: Math.max(0, remainingPoints), reset };
}

/** Counts in batches: see {@link Counters}. */
class SharedLimiter extends RateLimiterPostgres {
  readonly #counters: Counters;

  constructor(counters: Counters, options: ConstructorParameters<typeof RateLimiterPostgres>[0]) {
    super(options);
    this.#counters = counters;
  }

  /** Called by the library to change a counter; missing in its types. */
  async _upsert(key: string, points: number, duration: number): Promise<{ rows: Counted[] }> {
    return { rows: [await this.#counters.add(key, points, duration)] };
  }
}

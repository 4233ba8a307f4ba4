import { RateLimiterRes } from 'rate-limiter-flexible';
import { type CounterStore, Counters, hashed, SharedLimiter } from '#shared-counters';
import { DomainError } from '../errors.ts';
import { type Budget, signals, type Usage } from '../usage.ts';
import { KeptBytes, type KeptBytesBounds } from './kept-bytes.ts';
import { type LimitRule, refusalOf, rules } from './rules.ts';

export interface LimitKey {
  rule: LimitRule;
  /** An address, a mailbox, or several of them; only its hash is stored. */
  key: string;
  /** How many points to count; 1 if absent. */
  points?: number;
}

/** Counts limited operations in the table `rate_limit`. If the database is down, they are refused: they need it anyway (note 0011). */
export class Limits {
  readonly keptBytes: KeptBytes;
  readonly #limiters: Map<LimitRule, SharedLimiter> | null;

  /** @param store the primary database, or null to switch all limits off */
  constructor(store: CounterStore | null, bounds: { keptBytes: KeptBytesBounds }) {
    const counters = store && new Counters(store, 'rate_limit');
    this.keptBytes = new KeptBytes(counters, bounds.keptBytes);
    this.#limiters =
      counters &&
      new Map(
        Object.entries(rules).map(([rule, { points, duration }]) => [
          rule as LimitRule,
          new SharedLimiter(counters, { name: rule, points, duration }),
        ]),
      );
  }

  get enabled(): boolean {
    return this.#limiters !== null;
  }

  /** If one key is over its limit, the others are not counted. @throws DomainError RATE_LIMITED with the seconds to wait */
  async take(...keys: LimitKey[]): Promise<void> {
    await this.takeAndReport(keys, () => undefined);
  }

  /** Like {@link take}. @param report receives what is left of each limit, or only of those that are exceeded */
  async takeAndReport(
    keys: readonly LimitKey[],
    report: (budgets: Budget[], areExceeded: boolean) => void,
  ): Promise<void> {
    const counts = await Promise.all(keys.map((each) => this.#consume(each)));
    const longest = Math.max(...counts.map(({ wait }) => wait));
    const reported = counts.filter(({ wait }) => longest === 0 || wait > 0);
    const budgets = reported.flatMap(({ budget }) => budget ?? []);
    report(budgets, longest > 0);
    if (longest === 0) return;
    await Promise.all(keys.filter((_, index) => counts[index]?.wait === 0).map((each) => this.giveBack(each)));
    const { rule } = keys[counts.findIndex(({ wait }) => wait === longest)] as LimitKey;
    throw new DomainError('RATE_LIMITED', { detail: refusalOf(rule), retryAfter: longest / 1000 });
  }

  /** Like {@link take}, but returns whether every key was within its limit. */
  async tryTake(...keys: LimitKey[]): Promise<boolean> {
    try {
      await this.take(...keys);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  }

  /** Counts under a key; returns the seconds until it may be within the limit, 0 if it is. */
  async takeOrWait(key: LimitKey): Promise<number> {
    return Math.ceil((await this.#consume(key)).wait / 1000);
  }

  /** Like {@link takeOrWait}, with the caller's limit; nothing over it is counted. */
  async takeUpTo(key: LimitKey, limit: number): Promise<number> {
    const counted = await this.#limiters?.get(key.rule)?.consume(hashed(key.key), key.points);
    if (!counted || counted.consumedPoints <= limit) return 0;
    signals.emit('limitHit', key.rule);
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
        signals.emit('limitHit', rule);
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

interface Spender {
  services: { limits: Limits };
  usage: Usage;
}

/** Counts an operation; the response says what is left (reference/limits.md#budgets). @throws DomainError RATE_LIMITED */
export async function spend({ services, usage }: Spender, ...keys: LimitKey[]): Promise<void> {
  await services.limits.takeAndReport(keys, (budgets, areExceeded) => usage.addBudgets(budgets, areExceeded));
}

/** Runs an operation that is counted unless it fails. @throws DomainError RATE_LIMITED */
export async function spending<Result>(ctx: Spender, keys: LimitKey[], run: () => Promise<Result>): Promise<Result> {
  await spend(ctx, ...keys);
  try {
    return await run();
  } catch (error) {
    // if the database is down, the count stays
    await giveBack(ctx, ...keys).catch(() => undefined);
    throw error;
  }
}

/** Undoes {@link spend}. */
export async function giveBack({ services, usage }: Spender, ...keys: LimitKey[]): Promise<void> {
  usage.removeBudgets(keys.map(({ rule }) => rule));
  await Promise.all(keys.map((key) => services.limits.giveBack(key)));
}

import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Counted, Counters } from './counters.ts';

interface Limit {
  /** Of its keys, among those of other limits. */
  name: string;
  /** How much each key has per `duration`, in seconds. */
  points: number;
  duration: number;
}

/** A limiter of rate-limiter-flexible whose counters are changed in batches. */
export class SharedLimiter extends RateLimiterPostgres {
  readonly #counters: Counters;

  constructor(counters: Counters, { name, points, duration }: Limit) {
    super({
      storeClient: counters.store,
      storeType: 'client',
      tableName: counters.table,
      // the owner of the table deletes expired rows
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration,
      // this process refuses a key over its limit without another statement
      inMemoryBlockOnConsumed: points + 1,
    });
    this.#counters = counters;
  }

  /** Called by the library; missing in its types. */
  async _upsert(key: string, points: number, duration: number): Promise<{ rows: Counted[] }> {
    return { rows: [await this.#counters.add(key, points, duration)] };
  }
}

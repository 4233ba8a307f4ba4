import type { Pool } from 'pg';
import { Turns, type TurnsOptions } from '../../kernel/turns.ts';

/** The turns of each pool: the primary's and each replica's. */
export class PoolTurns {
  readonly #options: Omit<TurnsOptions, 'connections'>;
  readonly #turns = new WeakMap<Pool, Turns>();

  constructor(options: Omit<TurnsOptions, 'connections'>) {
    this.#options = options;
  }

  of(pool: Pool): Turns {
    const known = this.#turns.get(pool);
    if (known) return known;
    // one is reserved for background work: mails, sweeps and the counters of limits
    const turns = new Turns({ ...this.#options, connections: Math.max(1, pool.options.max - 1) });
    this.#turns.set(pool, turns);
    return turns;
  }
}

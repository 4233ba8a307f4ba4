import type { Pool, PoolClient } from 'pg';
import type { Requester } from '../../kernel/request.ts';
import type { Turn, Work } from '../../kernel/turns/job.ts';
import { onTurn, Turns, type TurnsOptions } from '../../kernel/turns/turns.ts';

/** A connection that a request holds for one statement. */
export interface Lease {
  readonly client: PoolClient;
  /** @param broken whether the connection cannot be used any more */
  end(broken: boolean): void;
}

/**
 * Shares the connections of a pool among requests. When a statement ends, its connection goes directly to the next request,
 * so that PostgreSQL receives that statement before the rows of the last one are processed.
 */
class SharedPool {
  readonly #pool: Pool;
  readonly turns: Turns;
  /** The connection of the turn that is currently ending. */
  #spare: PoolClient | null = null;

  constructor(pool: Pool, shares: Omit<TurnsOptions, 'connections'>) {
    this.#pool = pool;
    // one is reserved for background work: mails, sweeps and the counters of limits
    this.turns = new Turns({ ...shares, connections: Math.max(1, pool.options.max - 1) });
  }

  /**
   * Calls `use`, which must not throw, with a connection when the request's turn comes.
   *
   * @param fail called with RATE_LIMITED, SERVICE_UNAVAILABLE or ClientGone if there is no turn, or with the connection error
   */
  lease(requester: Requester, work: Work, use: (lease: Lease) => void, fail: (reason: Error) => void): void {
    onTurn(requester, this.turns, work, (turn) => this.#connect(turn, use, fail), fail);
  }

  /** Like {@link lease}, without waiting for a turn. */
  leaseAtOnce(use: (lease: Lease) => void, fail: (reason: Error) => void): void {
    this.#connect(null, use, fail);
  }

  #connect(turn: Turn | null, use: (lease: Lease) => void, fail: (reason: Error) => void): void {
    const spare = this.#spare;
    if (spare) {
      this.#spare = null;
      use(this.#leaseOf(spare, turn));
      return;
    }
    this.#pool.connect((error, client) => {
      if (client) use(this.#leaseOf(client, turn));
      else {
        turn?.end();
        fail(error as Error);
      }
    });
  }

  #leaseOf(client: PoolClient, turn: Turn | null): Lease {
    return { client, end: (broken) => this.#end(client, turn, broken) };
  }

  #end(client: PoolClient, turn: Turn | null, broken: boolean): void {
    const isFree = !broken && this.#pool.waitingCount === 0 && !this.#pool.ending;
    if (isFree) this.#spare = client;
    else client.release(broken);
    turn?.end();
    if (this.#spare !== client) return;
    this.#spare = null;
    client.release();
  }
}

/** The connections of each pool: the primary's and each replica's. */
export class SharedPools {
  readonly primary: SharedPool;
  readonly #shares: Omit<TurnsOptions, 'connections'>;
  readonly #pools = new WeakMap<Pool, SharedPool>();

  constructor(primary: Pool, shares: Omit<TurnsOptions, 'connections'>) {
    this.#shares = shares;
    this.primary = this.of(primary);
  }

  of(pool: Pool): SharedPool {
    const known = this.#pools.get(pool);
    if (known) return known;
    const shared = new SharedPool(pool, this.#shares);
    this.#pools.set(pool, shared);
    return shared;
  }
}

import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Turn } from '#fair-turns';
import type { Requester } from '../../kernel/request.ts';
import { onTurn, Turns, type TurnsOptions, type Work } from '../../kernel/turns/turns.ts';
import type { Replicas } from './replicas.ts';

/** The connections of an ORM: the pool that entities use, without the query builder, and those to replicas. */
export interface Connections {
  primary: Pool;
  replicas: Replicas | null;
  /** To the primary, for reads that may take minutes; opened on demand. */
  snapshots: Pool;
}

const byDriver = new WeakMap<object, Connections>();

/** Registers the connections of an ORM. */
export function useConnections(orm: { driver: object }, connections: Connections): void {
  byDriver.set(orm.driver, connections);
}

/** The connections of an ORM that `createOrm` made. */
export function connectionsOf(orm: { driver: object }): Connections {
  const connections = byDriver.get(orm.driver);
  if (!connections) throw new Error('createOrm did not make this ORM');
  return connections;
}

/** Receives messages about lost connections. */
type Warn = (message: string) => void;

/** A pool that survives the loss of its connections. */
export function openPool(options: PoolConfig, warn?: Warn): Pool {
  const pool = new pg.Pool(options);
  reportLosses(pool, warn);
  return pool;
}

/**
 * Reports each lost connection of a pool once. The driver emits `error` on the client, and also on the pool if the
 * connection is idle; without a listener, either event ends the process. Statements on a lost connection fail by themselves,
 * and the pool replaces the connection.
 */
export function reportLosses(pool: Pool, warn: Warn = ignore): void {
  pool.on('connect', (client) => {
    client.once('error', ({ message }) => warn(`lost a connection to the database: ${message}`));
    client.on('error', ignore);
  });
  pool.on('error', ignore);
}

function ignore(): void {}

/** A connection that is held for one statement. */
export interface Lease {
  readonly client: PoolClient;
  /** @param broken whether the connection cannot be used any more */
  end(broken: boolean): void;
}

/** Calls `use`, which must not throw, with a connection of a pool. */
export function lease(pool: Pool, use: (lease: Lease) => void, fail: (reason: Error) => void): void {
  pool.connect((error, client) => {
    if (client) use({ client, end: (broken) => client.release(broken) });
    else fail(error as Error);
  });
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
   * Like {@link lease}, when the request's turn comes.
   *
   * @param fail called with RATE_LIMITED, SERVICE_UNAVAILABLE or ClientGone if there is no turn, or with the connection error
   */
  lease(requester: Requester, work: Work, use: (lease: Lease) => void, fail: (reason: Error) => void): void {
    onTurn(requester, this.turns, work, (turn) => this.#connect(turn, use, fail), fail);
  }

  #connect(turn: Turn, use: (lease: Lease) => void, fail: (reason: Error) => void): void {
    const spare = this.#spare;
    this.#spare = null;
    const useClient = (client: PoolClient) => use({ client, end: (broken) => this.#end(client, turn, broken) });
    const refuse = (reason: Error) => {
      turn.end();
      fail(reason);
    };
    if (spare) useClient(spare);
    else lease(this.#pool, ({ client }) => useClient(client), refuse);
  }

  #end(client: PoolClient, turn: Turn, broken: boolean): void {
    const isFree = !broken && this.#pool.waitingCount === 0 && !this.#pool.ending;
    if (isFree) this.#spare = client;
    else client.release(broken);
    turn.end();
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

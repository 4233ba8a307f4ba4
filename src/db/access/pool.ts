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

/** Who wants a connection when their turn comes. */
interface Claimant {
  requester: Requester;
  turns: Turns;
  work: Work;
}

/**
 * Like {@link lease}, when the request's turn comes.
 *
 * @param fail called with RATE_LIMITED, SERVICE_UNAVAILABLE or ClientGone if there is no turn, or with the connection error
 */
export function leaseInTurn(
  pool: Pool,
  { requester, turns, work }: Claimant,
  use: (lease: Lease) => void,
  fail: (reason: Error) => void,
): void {
  const connect = (turn: Turn) => {
    const endBoth = (end: () => void) => {
      end();
      turn.end();
    };
    const useHeld = ({ client, end }: Lease) => use({ client, end: (broken) => endBoth(() => end(broken)) });
    lease(pool, useHeld, (reason) => endBoth(() => fail(reason)));
  };
  onTurn(requester, turns, work, connect, fail);
}

/** Decides whose statements get the connections of each pool: the primary's and each replica's. */
export class PoolTurns {
  readonly primary: Turns;
  readonly #shares: Omit<TurnsOptions, 'connections'>;
  readonly #turns = new WeakMap<Pool, Turns>();

  constructor(primary: Pool, shares: Omit<TurnsOptions, 'connections'>) {
    this.#shares = shares;
    this.primary = this.of(primary);
  }

  of(pool: Pool): Turns {
    const known = this.#turns.get(pool);
    if (known) return known;
    // one is reserved for background work: mails, sweeps and the counters of limits
    const turns = new Turns({ ...this.#shares, connections: Math.max(1, pool.options.max - 1) });
    this.#turns.set(pool, turns);
    return turns;
  }
}

import pg, { type Pool, type PoolConfig } from 'pg';
import { Turns, type TurnsOptions } from '../../kernel/turns/turns.ts';
import type { Replicas } from './replicas.ts';

/** The connections of an ORM. */
export interface Connections {
  primary: Pool;
  replicas: Replicas | null;
  /** To the primary, for reads that may take minutes; opened on demand. */
  snapshots: Pool;
}

const byDriver = new WeakMap<object, Connections>();

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
 * Reports each lost connection once. The driver emits `error` on the client, and on the pool if the connection is idle; without
 * a listener, either event ends the process.
 */
export function reportLosses(pool: Pool, warn: Warn = ignore): void {
  pool.on('connect', (client) => {
    client.once('error', ({ message }) => warn(`lost a connection to the database: ${message}`));
    client.on('error', ignore);
  });
  pool.on('error', ignore);
}

function ignore(): void {}

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
    // one is reserved for background work and the counters of limits
    const turns = new Turns({ ...this.#shares, connections: Math.max(1, pool.options.max - 1) });
    this.#turns.set(pool, turns);
    return turns;
  }
}

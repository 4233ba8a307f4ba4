import pg, { type Pool, type PoolConfig } from 'pg';

/** Receives messages about lost connections. */
export type Warn = (message: string) => void;

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

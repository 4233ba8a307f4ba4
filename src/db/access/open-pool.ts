import pg, { type Pool, type PoolConfig } from 'pg';

/** Gets messages about connections that were lost. */
export type Warn = (message: string) => void;

/** A pool that survives the loss of its connections. */
export function openPool(options: PoolConfig, warn?: Warn): Pool {
  const pool = new pg.Pool(options);
  reportLosses(pool, warn);
  return pool;
}

/**
 * Reports each lost connection of a pool once. The driver emits `error` on the client, and on the pool as well if the
 * connection is idle; without a listener, either ends the process. Statements that run on a lost connection fail by
 * themselves, and the pool replaces it.
 */
export function reportLosses(pool: Pool, warn: Warn = ignore): void {
  pool.on('connect', (client) => {
    client.once('error', ({ message }) => warn(`lost a connection to the database: ${message}`));
    client.on('error', ignore);
  });
  pool.on('error', ignore);
}

function ignore(): void {}

import type { Pool } from 'pg';
import type { ChangeFeed } from '../domain/session/access-listener.ts';
import { openPool } from './access/pool.ts';
import { poolOptions } from './options.ts';

export interface Listening extends ChangeFeed {
  /** Closes the pool that was opened for listening. Release its connections first. */
  close(): Promise<void>;
}

/**
 * Notifications from the primary. Listening has a connection of its own, outside the pool, whose last connection is
 * reserved for background work. It needs a session, which a pooler in transaction mode does not give.
 *
 * @param directUrl connects without the pooler; null if the pool's own connections do
 */
export function createListening(pool: Pool, directUrl: string | null): Listening {
  const own = openPool(directUrl === null ? { ...pool.options, max: 1 } : poolOptions(directUrl, { poolSize: 1 }));
  return {
    open: () => own.connect(),
    notify: (channel, payload) => pool.query('select pg_notify($1, $2)', [channel, payload]),
    close: () => own.end(),
  };
}

import type { Pool } from 'pg';
import type { NotificationFeed } from '#notified-cache';
import { openPool } from '#postgres-access';
import { poolOptions } from './options.ts';

export interface Listening extends NotificationFeed {
  /** Release its connections first. */
  close(): Promise<void>;
}

/**
 * Listens on a separate connection: the last one of the pool is reserved for background work.
 *
 * @param directUrl without the pooler, which gives no session; null if there is none
 */
export function createListening(pool: Pool, directUrl: string | null): Listening {
  const own = openPool(directUrl === null ? { ...pool.options, max: 1 } : poolOptions(directUrl, { poolSize: 1 }));
  return {
    open: () => own.connect(),
    notify: (channel, payload) => pool.query('select pg_notify($1, $2)', [channel, payload]),
    close: () => own.end(),
  };
}

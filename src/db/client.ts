import type { Pool, PoolClient } from 'pg';
import { postgresServers } from '#postgres-access';
import { createOrm } from './orm.ts';

/** Calls `use` with a connection that has no statement timeout, and can have a cursor. */
export async function withClient<Result>(url: string, use: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const orm = await createOrm({ url, poolSize: 1, pipeline: false, statementTimeout: 0, idleInTransactionTimeout: 0 });
  try {
    const pool = await orm.driver.getConnection().getNativeClient();
    const client = await connect(pool, url);
    try {
      return await use(client);
    } finally {
      client.release(true);
    }
  } finally {
    await orm.close(true);
  }
}

/** Connects to the primary: each attempt that fails makes the next one try another server of the URL. */
async function connect(pool: Pool, url: string): Promise<PoolClient> {
  for (let others = postgresServers(url).urls.length - 1; others > 0; others -= 1) {
    const client = await pool.connect().catch(() => null);
    if (client) return client;
  }
  return await pool.connect();
}

/** Finds the primary among several servers of a URL for all connections of this process: a pool reports the first failure. */
export async function findPrimary(url: string): Promise<void> {
  if (postgresServers(url).urls.length > 1) await withClient(url, async () => undefined);
}

/** @param mode of PostgreSQL */
export async function inClientTransaction<Result>(
  client: PoolClient,
  use: () => Promise<Result>,
  mode = '',
): Promise<Result> {
  await client.query(`begin ${mode}`);
  try {
    const result = await use();
    await client.query('commit');
    return result;
  } catch (error) {
    // the connection itself may have failed; report the first error
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase, openOrm } from '../support/database.ts';
import { shared } from '../support/shared.ts';

const warnings: string[] = [];
const database = await shared(createTestDatabase());
const { orm } = await shared(openOrm({ url: database.url, warn: (message) => void warnings.push(message) }));

const pidOf = async (client: { query: Pool['query'] }) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

/** Cuts a connection, and waits until that is reported. */
async function cut(pid: number | undefined): Promise<void> {
  warnings.length = 0;
  await database.execute(`select pg_terminate_backend(${pid})`);
  await expect.poll(() => warnings.length).toBeGreaterThan(0);
  expect(warnings).toEqual(['lost a connection to the database: terminating connection due to administrator command']);
}

// an error event that nobody hears ends the process
describe.each(['primary', 'snapshots'] as const)('the pool %s', (name) => {
  const pool = () => orm.connections[name] as Pool;

  it('survives the loss of an idle connection', async () => {
    const pid = await pidOf(pool());
    await cut(pid);
    expect(await pidOf(pool())).not.toBe(pid);
  });

  it('survives the loss of a connection in use between two statements', async () => {
    const client = await pool().connect();
    await cut(await pidOf(client));
    await expect(client.query('select 1')).rejects.toThrow();
    client.release(true);
    expect((await pool().query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

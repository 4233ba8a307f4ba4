import type { Pool } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PostgresDatabase, resultOf } from '#postgres-access';
import { withClient } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

const database = await shared(createTestDatabase({ poolSize: 1 }));

describe('a statement', () => {
  it('is planned once if it asks for that, whatever seems cheaper; others are planned as before', async () => {
    const db = new PostgresDatabase(database.orm);
    await db.rows(
      sql`create table skewed as select case when n % 100 = 0 then n else 0 end as a from generate_series(1, 20000) n`,
    );
    await db.rows(sql`create index on skewed (a)`);
    await db.rows(sql`analyze skewed`);
    const plansOf = async (prepared: true | 'planned once', from = 'skewed') => {
      const how = String(prepared);
      const text = sql`select ${raw(`'${how}'`)} as how, count(*)::int as n from ${raw(from)} where a = ${100}::int`;
      for (let use = 0; use < 8; use += 1) expect(await db.rows(text, { prepared })).toEqual([{ how, n: 1 }]);
      return await db.row(sql`select generic_plans::int as kept, custom_plans::int as others
        from pg_prepared_statements where statement = ${text.sql}`);
    };
    expect(await plansOf(true)).toEqual({ kept: 0, others: 8 });
    expect(await plansOf('planned once')).toEqual({ kept: 8, others: 0 });
    expect(await db.row(sql`select current_setting('plan_cache_mode') as mode`)).toEqual({ mode: 'auto' });
    expect(await plansOf(true)).toEqual({ kept: 0, others: 16 });
    // of which PostgreSQL keeps a plan if it is not asked
    await db.rows(sql`create table even as select n as a from generate_series(1, 100) n`);
    expect(await plansOf(true, 'even')).toEqual({ kept: 3, others: 5 });
  });

  it('is prepared again by a connection on which its first use was cancelled before it was prepared', async () => {
    const fresh = await createTestDatabase({ poolSize: 1 });
    onTestFinished(() => fresh.drop());
    const db = new PostgresDatabase(fresh.orm);
    await db.rows(sql`create table locked (a int)`);
    const pool: Pool = await fresh.orm.driver.getConnection().getNativeClient();
    // as requests read: their connections outlive a cancelled statement
    const client = await pool.connect();
    onTestFinished(() => client.release());
    const read = () =>
      resultOf(
        client,
        { name: 'gateway_of_this_test', sql: 'select a from locked', parameters: [] },
        { plannedOnce: true },
      );
    await withClient(fresh.url, async (other) => {
      await other.query('begin; lock table locked');
      const cancelled = expect(read()).rejects.toMatchObject({ code: '57014' });
      const cancel = `select pg_cancel_backend(pid) from pg_locks where relation = 'locked'::regclass and not granted`;
      await vi.waitFor(async () => expect((await other.query(cancel)).rowCount).toBe(1));
      await cancelled;
      await other.query('rollback');
    });
    expect((await read()).rows).toEqual([]);
  });
});

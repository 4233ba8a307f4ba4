import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PostgresDatabase, type ReadOptions, resultOf } from '#postgres-access';
import { withClient } from '../../src/db/client.ts';
import type { Context } from '../../src/engine/context.ts';
import { plannedEachTime, plannedOnce } from '../../src/engine/planner.ts';
import { ClientWaits } from '../../src/kernel/request.ts';
import { DatabaseShare, SharedDatabase } from '../../src/kernel/turns/database-share.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { createTestDatabase } from '../support/database.ts';
import { inTest, shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

const database = await shared(createTestDatabase({ poolSize: 1 }));

const kept = async () => {
  const names = sql`select name, generic_plans + custom_plans as uses from pg_prepared_statements order by name`;
  return await new PostgresDatabase(database.orm).rows<{ name: string; uses: string }>(names);
};

describe('a statement', () => {
  it('is kept by its connection if it asks for that, and is planned again if it does not', async () => {
    const ask = async (value: number, prepared: boolean) =>
      await new PostgresDatabase(database.orm).rows<{ n: number }>(sql`select ${value}::int as n`, { prepared });
    expect(await ask(1, false)).toEqual([{ n: 1 }]);
    expect(await kept()).toEqual([]);
    for (const value of [2, 3, 4]) expect(await ask(value, true)).toEqual([{ n: value }]);
    expect(await kept()).toEqual([{ name: expect.stringMatching(/^kept_[0-9a-f]{32}$/), uses: '3' }]);
  });

  it('is kept if others ask for it, however many others one user asks for, more than connections keep', async () => {
    const max = 400;
    const shares = { userShare: 100, organizationShare: 100, patience: 5_000 };
    const all = new SharedDatabase(database.orm.connections.primary, { ...shares, largeValueBytes: 64_000_000 });
    const text = (index: number) => ({ sql: `select ${index}::int as n`, parameters: [] });
    const reader = (userId: string) => {
      const viewer = { userId, sessionId: userId };
      const ctx = { viewer, membership: null, waits: new ClientWaits(), usage: new Usage() } as unknown as Context;
      return new PostgresDatabase(database.orm, new DatabaseShare(ctx, all));
    };
    const ask = async (userId: string, from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        expect(await reader(userId).rows(text(index), { prepared: true })).toEqual([{ n: index }]);
      }
    };
    const keptOf = async (from: number, to: number) => {
      const texts = sql`select statement from pg_prepared_statements`;
      const found = new Set((await reader('observer').rows<{ statement: string }>(texts)).map((row) => row.statement));
      expect(found.size).toBeLessThanOrEqual(max + 1);
      return Array.from({ length: to - from }, (_, index) => text(from + index).sql).filter((each) => found.has(each));
    };

    await ask('a', 1_000, 1_050);
    await ask('one', 0, 600);
    await ask('b', 1_000, 1_050);
    expect(await keptOf(1_000, 1_050)).toHaveLength(50);
    // of one user's own, the last ones
    expect(await keptOf(500, 600)).toHaveLength(100);
    expect((await keptOf(0, 500)).length).toBeLessThan(350);
  });

  it('that was compiled is kept under the name that it has', async () => {
    const query = { sql: 'select $1::int as n', parameters: [1], name: 'of_its_own' };
    for (let time = 0; time < 2; time += 1)
      expect(await new PostgresDatabase(database.orm).rows(query)).toEqual([{ n: 1 }]);
    expect(await kept()).toContainEqual({ name: 'of_its_own', uses: '2' });
  });

  it('is planned once or each time if it asks for that, whatever seems cheaper; others are planned as before', async () => {
    const db = new PostgresDatabase(database.orm);
    await db.rows(
      sql`create table skewed as select case when n % 100 = 0 then n else 0 end as a from generate_series(1, 20000) n`,
    );
    await db.rows(sql`create index on skewed (a)`);
    await db.rows(sql`analyze skewed`);
    const plansOf = async (options: ReadOptions, from = 'skewed') => {
      const how = options.settings?.plan_cache_mode ?? 'auto';
      const text = sql`select ${raw(`'${how}'`)} as how, count(*)::int as n from ${raw(from)} where a = ${100}::int`;
      for (let use = 0; use < 8; use += 1) expect(await db.rows(text, options)).toEqual([{ how, n: 1 }]);
      return await db.row(sql`select generic_plans::int as kept, custom_plans::int as others
        from pg_prepared_statements where statement = ${text.sql}`);
    };
    const plain = { prepared: true };
    expect(await plansOf(plain)).toEqual({ kept: 0, others: 8 });
    expect(await plansOf(plannedOnce)).toEqual({ kept: 8, others: 0 });
    expect(await db.row(sql`select current_setting('plan_cache_mode') as mode`)).toEqual({ mode: 'auto' });
    expect(await plansOf(plain)).toEqual({ kept: 0, others: 16 });
    // of which PostgreSQL keeps a plan if it is not asked
    await db.rows(sql`create table even as select n as a from generate_series(1, 100) n`);
    expect(await plansOf(plain, 'even')).toEqual({ kept: 3, others: 5 });
    expect(await plansOf(plannedEachTime, 'even')).toEqual({ kept: 0, others: 8 });
  });

  it('is prepared again by a connection on which its first use was cancelled before it was prepared', async () => {
    const fresh = await inTest(createTestDatabase({ poolSize: 1 }));
    const db = new PostgresDatabase(fresh.orm);
    await db.rows(sql`create table locked (a int)`);
    // as requests read: their connections outlive a cancelled statement
    const client = await fresh.orm.connections.primary.connect();
    onTestFinished(() => client.release());
    const read = () =>
      resultOf(client, { name: 'gateway_of_this_test', sql: 'select a from locked', parameters: [] }, plannedOnce);
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

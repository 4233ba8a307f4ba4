import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsOf } from '../../src/db/access/connections.ts';
import { LoadMemory } from '../../src/db/access/load.ts';
import { RequestDatabase } from '../../src/db/access/request-database.ts';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { SharedPools } from '../../src/db/access/shared-pool.ts';
import { keptNames } from '../../src/db/access/statement.ts';
import type { Context } from '../../src/engine/context.ts';
import { ClientWaits } from '../../src/kernel/request.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
});
afterAll(() => database.drop());

const nameOf = (text: string) => `gateway_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

// without what a session of its own prepares when it begins, by SQL

const kept = async () => {
  const names = sql`select name, generic_plans + custom_plans as uses from pg_prepared_statements where not from_sql order by name`;
  return await new ServiceDatabase(database.orm).rows<{ name: string; uses: string }>(names);
};

describe('a statement', () => {
  it('is kept by its connection if it asks for that, and is planned again if it does not', async () => {
    const ask = async (value: number, prepared: boolean) =>
      await new ServiceDatabase(database.orm).rows<{ n: number }>(sql`select ${value}::int as n`, { prepared });
    expect(await ask(1, false)).toEqual([{ n: 1 }]);
    expect(await kept()).toEqual([]);
    for (const value of [2, 3, 4]) expect(await ask(value, true)).toEqual([{ n: value }]);
    expect(await kept()).toEqual([{ name: expect.stringMatching(/^gateway_[0-9a-f]{32}$/), uses: '3' }]);
  });

  describe('of which there are more than connections keep', () => {
    const max = 200;
    const shares = { userShare: 100, organizationShare: 100, patience: 5_000 };
    let pools: SharedPools;
    beforeAll(() => {
      pools = new SharedPools(connectionsOf(database.orm).primary, shares);
    });
    const memory = new LoadMemory({ ...shares, largeValueBytes: 64_000_000 });
    const text = (index: number) => sql([`select ${index}::int as n`]);
    const reader = (userId: string) => {
      const viewer = { userId, sessionId: userId };
      const ctx = { viewer, membership: null, waits: new ClientWaits(), usage: new Usage() } as unknown as Context;
      return new RequestDatabase(ctx, { orm: database.orm, connections: connectionsOf(database.orm), pools, memory });
    };
    const ask = async (userId: string, from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        expect(await reader(userId).rows(text(index), { prepared: true })).toEqual([{ n: index }]);
      }
    };
    const keptOf = async (from: number, to: number) => {
      const texts = sql`select statement from pg_prepared_statements where not from_sql`;
      const found = new Set((await reader('observer').rows<{ statement: string }>(texts)).map((row) => row.statement));
      expect(found.size).toBeLessThanOrEqual(max);
      return Array.from({ length: to - from }, (_, index) => text(from + index).text).filter((each) => found.has(each));
    };

    it('is kept if most users ask for it, however many others one user asks for, and how often', async () => {
      for (let round = 0; round < 4; round += 1) await ask('one', 0, 300);
      expect((await keptOf(0, 300)).length).toBeGreaterThan(max - 10);
      // what everybody uses comes later, and finds room
      for (const userId of ['a', 'b', 'a', 'b']) await ask(userId, 1_000, 1_050);
      expect(await keptOf(1_000, 1_050)).toHaveLength(50);
      for (let round = 0; round < 4; round += 1) await ask('one', 300, 600);
      for (let round = 0; round < 20; round += 1) await ask('one', 600, 620);
      expect(await keptOf(1_000, 1_050)).toHaveLength(50);
      // of one user's own those are kept that are asked for most
      expect(await keptOf(600, 620)).toHaveLength(20);
    });

    it('is parsed again if it made room while it waited for its connection', async () => {
      const statement = sql`select pg_backend_pid() as pid, 1 as kept_while_waiting`;
      const pool: Pool = await database.orm.em.getConnection().getNativeClient();
      for (let use = 0; use < 3; use += 1) await reader('c').rows(statement, { prepared: true });
      const client = await pool.connect();
      const waiting = reader('c').rows(statement, { prepared: true });
      await new Promise((resolve) => setImmediate(resolve));
      keptNames.delete(nameOf(statement.text));
      client.release();
      expect(await waiting).toEqual([{ pid: expect.any(Number), kept_while_waiting: 1 }]);
    });

    it('changes no plans among those that are asked for alike', async () => {
      for (let round = 0; round < 3; round += 1) await ask('two', 2_000, 2_300);
      const before = await keptOf(2_000, 2_300);
      await ask('two', 2_000, 2_300);
      await ask('two', 2_000, 2_300);
      const after = await keptOf(2_000, 2_300);
      expect(before.filter((each) => !after.includes(each)).length).toBeLessThan(10);
    });
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import type { Context } from '../../src/engine/context.ts';
import { ClientWaits } from '../../src/kernel/request.ts';
import { DatabaseShare, SharedDatabase } from '../../src/kernel/turns/database-share.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';
import { sql } from '../support/sql.ts';

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

  describe('of which there are more than connections keep', () => {
    const max = 400;
    const shares = { userShare: 100, organizationShare: 100, patience: 5_000 };
    let all: SharedDatabase;
    beforeAll(() => {
      all = new SharedDatabase(database.orm.connections.primary, { ...shares, largeValueBytes: 64_000_000 });
    });
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

    it('is kept if others ask for it, however many others one user asks for', async () => {
      await ask('a', 1_000, 1_050);
      await ask('one', 0, 600);
      await ask('b', 1_000, 1_050);
      expect(await keptOf(1_000, 1_050)).toHaveLength(50);
      // of one user's own, the last ones
      expect(await keptOf(500, 600)).toHaveLength(100);
      expect((await keptOf(0, 500)).length).toBeLessThan(350);
    });
  });

  it('that was compiled is kept under the name that it has', async () => {
    const query = { sql: 'select $1::int as n', parameters: [1], name: 'of_its_own' };
    for (let time = 0; time < 2; time += 1)
      expect(await new PostgresDatabase(database.orm).rows(query)).toEqual([{ n: 1 }]);
    expect(await kept()).toContainEqual({ name: 'of_its_own', uses: '2' });
  });
});

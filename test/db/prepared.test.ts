import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../src/domain/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
});
afterAll(() => database.drop());

const kept = async () => {
  const names = sql`select name, generic_plans + custom_plans as uses from pg_prepared_statements order by name`;
  return await rows<{ name: string; uses: string }>(database.orm.em.fork(), names);
};

describe('a statement', () => {
  it('is kept by its connection where it asks for that, and is planned again where it does not', async () => {
    const ask = async (value: number, prepared: boolean) =>
      await rows<{ n: number }>(database.orm.em.fork(), sql`select ${value}::int as n`, { prepared });
    expect(await ask(1, false)).toEqual([{ n: 1 }]);
    expect(await kept()).toEqual([]);
    for (const value of [2, 3, 4]) expect(await ask(value, true)).toEqual([{ n: value }]);
    expect(await kept()).toEqual([{ name: expect.stringMatching(/^gateway_[0-9a-f]{32}$/), uses: '3' }]);
  });

  it('runs without a name once there are many of them: a client that varies what it selects fills no memory', async () => {
    for (let index = 0; index < 300; index += 1) {
      const text = sql([`select ${index}::int as n`]);
      expect(await rows(database.orm.em.fork(), text, { prepared: true })).toEqual([{ n: index }]);
    }
    expect((await kept()).length).toBe(200);
  });
});

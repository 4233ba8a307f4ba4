import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Counters } from '#shared-counters';
import { readSettings } from '../../src/config/settings.ts';
import { type LimitKey, Limits } from '../../src/kernel/limits/limits.ts';
import { createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';

const { bounds } = readSettings({ NODE_ENV: 'test' });
const database = await shared(createTestDatabase());
const pool = await database.orm.driver.getConnection().getNativeClient();

// each `Limits` stands for a process; all share the table

describe('counters that many change at once', () => {
  const writer = (): LimitKey => ({ rule: 'write', key: randomUUID() });

  it('let in exactly as many as the limit allows, in two processes together', async () => {
    const key = writer();
    const processes = [new Limits(pool, bounds), new Limits(pool, bounds)];
    const taken = await Promise.all(Array.from({ length: 400 }, (_, index) => processes[index % 2]?.tryTake(key)));
    expect(taken.filter(Boolean)).toHaveLength(300);
  });

  it('do not deadlock, whatever the order of their keys', async () => {
    const keys = Array.from({ length: 50 }, writer);
    const take = async (order: LimitKey[]) => {
      const limits = new Limits(pool, bounds);
      for (let round = 0; round < 20; round += 1) await Promise.all(order.map((key) => limits.tryTake(key)));
    };
    await Promise.all([take(keys), take(keys.toReversed())]);
    const rows = await database.execute<{ points: number }>(`select points from rate_limit
      where key like 'write:%' and points = 40`);
    expect(rows).toHaveLength(50);
  });

  it('begin again when their time has passed', async () => {
    const counters = new Counters(pool, 'rate_limit');
    const key = randomUUID();
    const points = async (changes: number[]) =>
      (await Promise.all(changes.map((each) => counters.add(key, each, 60_000)))).map((each) => each.points);
    expect(await points([1, 1])).toEqual([1, 2]);
    await database.execute('update rate_limit set expire = 0 where key = ?', [key]);
    expect(await points([1, 1])).toEqual([1, 2]);
  });
});

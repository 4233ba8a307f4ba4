import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { anywhere, forgetForeignWrites, LastWrites, noteWrite, primaryOnly, rowsOn } from '#postgres-access';
import { Counters } from '#shared-counters';
import { readSettings } from '../../src/config/settings.ts';
import { type LimitKey, Limits } from '../../src/kernel/limits/limits.ts';
import { createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';

const { bounds } = readSettings({ NODE_ENV: 'test' });
const database = await shared(createTestDatabase());
const pool = database.orm.connections.primary;

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

async function position(): Promise<number> {
  const { rows } = await pool.query(
    `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as position, txid_current()`,
  );
  return rows[0].position;
}

const noteWriteOf = (userId: string) => rowsOn(pool, noteWrite({ userId }));

it('tells how far the log had come at the last write of each user, and nothing of those who did not write', async () => {
  const [first, second, silent] = [randomUUID(), randomUUID(), randomUUID()];
  const lastWrites = new LastWrites(pool);
  const before = await position();
  await noteWriteOf(first);
  const between = await position();
  await noteWriteOf(second);
  const [ofFirst, ofSecond, ofSilent] = await Promise.all([first, second, silent].map((id) => lastWrites.of(id)));
  expect(ofFirst).toBeGreaterThanOrEqual(before);
  expect(ofFirst).toBeLessThanOrEqual(between);
  expect(ofSecond).toBeGreaterThanOrEqual(between);
  expect(ofSilent).toBe(anywhere);
  await position();
  await noteWriteOf(first);
  expect(await lastWrites.of(first)).toBeGreaterThan(ofSecond as number);
});

it('forgets the positions of another cluster, which the log has not come to', async () => {
  const [own, foreign] = [randomUUID(), randomUUID()];
  const lastWrites = new LastWrites(pool);
  await noteWriteOf(own);
  await pool.query(`insert into last_write values ($1, 'FFFF/0', now())`, [foreign]);
  await noteWriteOf(foreign);
  expect(await lastWrites.of(foreign)).toBeGreaterThan(await position());
  await pool.query(forgetForeignWrites.sql);
  expect(await lastWrites.of(foreign)).toBe(anywhere);
  expect(await lastWrites.of(own)).toBeGreaterThan(anywhere);
  await noteWriteOf(foreign);
  expect(await lastWrites.of(foreign)).toBeLessThanOrEqual(await position());
});

it('asks once for all who ask at the same time, and again for those who come while it asks', async () => {
  const query = vi.fn((...given: [string]) => pool.query(...given));
  const lastWrites = new LastWrites({ query } as unknown as Pool);
  const userId = randomUUID();
  const early = Array.from({ length: 50 }, () => lastWrites.of(randomUUID()));
  while (query.mock.calls.length === 0) await Promise.resolve();
  await noteWriteOf(userId);
  const late = Array.from({ length: 50 }, () => lastWrites.of(userId));
  expect(new Set(await Promise.all(early))).toEqual(new Set([anywhere]));
  expect((await Promise.all(late)).every((found) => found > anywhere)).toBe(true);
  expect(query).toHaveBeenCalledTimes(2);
});

it('sends users to the primary if it cannot be asked', async () => {
  const broken = { query: () => Promise.reject(new Error('gone')) } as unknown as Pool;
  const lastWrites = new LastWrites(broken);
  expect(await lastWrites.of(randomUUID())).toBe(primaryOnly);
  expect(await lastWrites.of(randomUUID())).toBe(primaryOnly);
});

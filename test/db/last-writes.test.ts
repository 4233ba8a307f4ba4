import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { expect, it, vi } from 'vitest';
import { anywhere, forgetForeignWrites, LastWrites, noteWrite, primaryOnly, rowsOn } from '#postgres-access';
import { createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';

const database = await shared(createTestDatabase());

const primary = () => database.orm.connections.primary;

async function position(): Promise<number> {
  const { rows } = await primary().query(
    `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as position, txid_current()`,
  );
  return rows[0].position;
}

const noteWriteOf = (userId: string) => rowsOn(primary(), noteWrite({ userId }));

it('tells how far the log had come at the last write of each user, and nothing of those who did not write', async () => {
  const [first, second, silent] = [randomUUID(), randomUUID(), randomUUID()];
  const lastWrites = new LastWrites(primary());
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
  const lastWrites = new LastWrites(primary());
  await noteWriteOf(own);
  await primary().query(`insert into last_write values ($1, 'FFFF/0', now())`, [foreign]);
  await noteWriteOf(foreign);
  expect(await lastWrites.of(foreign)).toBeGreaterThan(await position());
  await primary().query(forgetForeignWrites.sql);
  expect(await lastWrites.of(foreign)).toBe(anywhere);
  expect(await lastWrites.of(own)).toBeGreaterThan(anywhere);
  await noteWriteOf(foreign);
  expect(await lastWrites.of(foreign)).toBeLessThanOrEqual(await position());
});

it('asks once for all who ask at the same time, and again for those who come while it asks', async () => {
  const query = vi.fn((...given: [string]) => primary().query(...given));
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

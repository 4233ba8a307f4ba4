import { RateLimiterRes } from 'rate-limiter-flexible';
import { expect, it } from 'vitest';
import { Counters, SharedLimiter } from '../src/index.ts';

/** Stands for the table; counts the statements that it gets. */
function tableOf() {
  const rows = new Map<string, { key: string; points: number; expire: string }>();
  const statements: string[] = [];
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    statements.push(text);
    const [keys, points, expire] = values as [string[], number[], number[]];
    const changed = keys.map((key, index) => {
      const { points: before = 0, expire: ends = String(expire[index]) } = rows.get(key) ?? {};
      const row = { key, points: before + (points[index] as number), expire: ends };
      rows.set(key, row);
      return row;
    });
    return { rows: changed, rowCount: changed.length };
  };
  return { statements, counters: new Counters({ query }, 'mill_limit') };
}

it('counts together what is counted at once, and tells each caller its own result', async () => {
  const { counters, statements } = tableOf();
  const changes = Object.entries({ a: 1, b: 4 }).flatMap(([key, first]) =>
    [first, 2, -1].map((points) => [key, points] as const),
  );
  const counted = await Promise.all(changes.map(([key, points]) => counters.add(key, points, 60_000)));
  expect(counted.map(({ points }) => points)).toEqual([1, 3, 2, 4, 6, 5]);
  expect(statements).toEqual([expect.stringContaining('insert into mill_limit')]);
});

it('rejects every change of a statement that fails, and goes on with the next', async () => {
  let fails = true;
  const query = async ({ values }: { values: unknown[] }) => {
    if (fails) throw new Error('no database');
    const [[key]] = values as [[string]];
    return { rows: [{ key, points: 1, expire: '5' }], rowCount: 1 };
  };
  const counters = new Counters({ query }, 'mill_limit');
  const lost = await Promise.allSettled([counters.add('a', 1, 1_000), counters.add('b', 1, 1_000)]);
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await counters.add('a', 1, 1_000)).toEqual({ points: 1, expire: 5 });
});

it('limits a key, without a statement once it is over the limit', async () => {
  const { counters, statements } = tableOf();
  const limiter = new SharedLimiter(counters, { name: 'grind', points: 2, duration: 60 });
  await limiter.consume('ann');
  expect((await limiter.consume('ann')).remainingPoints).toBe(0);
  for (let tries = 0; tries < 3; tries += 1)
    await expect(limiter.consume('ann')).rejects.toBeInstanceOf(RateLimiterRes);
  expect(statements).toHaveLength(3);
  expect((await limiter.consume('bob')).remainingPoints).toBe(1);
});

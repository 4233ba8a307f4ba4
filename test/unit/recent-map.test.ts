import { expect, it } from 'vitest';
import { RecentMap } from '../../src/domain/recent-map.ts';

it('keeps what was used last, and no more than its size', () => {
  const map = new RecentMap<number, string>(3);
  for (let key = 0; key < 100_000; key += 1) {
    map.set(key, `value ${key}`);
    expect(map.size).toBeLessThanOrEqual(3);
    map.get(99);
  }
  expect([99, 99_998, 99_999].map((key) => map.peek(key))).toEqual(['value 99', 'value 99998', 'value 99999']);
});

it('does not count a glance as a use', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.peek('a');
  map.set('c', 3);
  expect([map.peek('a'), map.peek('b'), map.peek('c')]).toEqual([undefined, 2, 3]);
  map.delete('b');
  expect(map.size).toBe(1);
});

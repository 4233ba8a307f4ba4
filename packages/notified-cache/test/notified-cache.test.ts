import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { OwnedCache } from '../src/index.ts';

const cacheOf = (keepsAbsent = true) => new OwnedCache<{ owner: string }>(({ owner }) => owner, keepsAbsent);
const ann = { owner: 'ann' };

type Cache = ReturnType<typeof cacheOf>;
const isKept = (cache: Cache, key: string) => !(cache.find(key, async () => null) instanceof Promise);
function enabled() {
  const cache = cacheOf();
  cache.enable();
  return cache;
}
afterEach(() => void vi.restoreAllMocks());

it('keeps nothing before it is enabled and after it is disabled', async () => {
  const cache = cacheOf();
  for (const [change, kept] of [[() => undefined, false] as const, [() => cache.enable(), true] as const]) {
    change();
    await cache.find('a', async () => ann);
    expect(isKept(cache, 'a')).toBe(kept);
  }
  cache.disable();
  expect(isKept(cache, 'a')).toBe(false);
});

it.each<[string, (cache: Cache) => void]>([
  ['its key was forgotten', (cache) => cache.forget('a')],
  ['an owner was forgotten', (cache) => cache.forgetOwner('bob')],
  ['everything was forgotten', (cache) => cache.clear()],
  ['it was disabled for a while', (cache) => [cache.disable(), cache.enable()]],
])('keeps no value that was read before %s', async (_, change) => {
  const cache = enabled();
  const reading = cache.find('a', async () => ann);
  change(cache);
  await reading;
  expect(isKept(cache, 'a')).toBe(false);
});

it('forgets by itself after five seconds, however often it is asked, and the oldest of more than ten thousand', async () => {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const cache = enabled();
  for (let n = 0; n < 10_001; n += 1) await cache.find(`${n}`, async () => ann);
  expect(['0', '1', '10000'].map((key) => isKept(cache, key))).toEqual([false, true, true]);
  for (const [passed, kept] of [[4_900, true] as const, [200, false] as const]) {
    now += passed;
    // the cache looks at the clock once a millisecond
    await sleep(10);
    expect(isKept(cache, '1')).toBe(kept);
  }
});

it('forgets a key, or all keys of an owner', async () => {
  const cache = enabled();
  for (const key of ['a', 'b', 'c']) await cache.find(key, async () => (key === 'c' ? { owner: 'bob' } : ann));
  cache.forget('b');
  expect(['a', 'c'].map((key) => isKept(cache, key))).toEqual([true, true]);
  cache.forgetOwner('ann');
  expect(isKept(cache, 'a')).toBe(false);
  expect(isKept(cache, 'c')).toBe(true);
});

it('keeps that something is absent only if nobody can make up keys', async () => {
  const cache = cacheOf(false);
  cache.enable();
  await cache.find('a', async () => null);
  expect(await cache.find('a', async () => ann)).toBe(ann);
});

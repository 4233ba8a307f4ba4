import { expect, it, vi } from 'vitest';
import { OwnedCache } from '../src/index.ts';

const cacheOf = (keepsAbsent = true) => new OwnedCache<{ owner: string }>(({ owner }) => owner, keepsAbsent);
const ann = { owner: 'ann' };

it('caches nothing before it is enabled, and keeps no value that was read before a change', async () => {
  const cache = cacheOf();
  const read = vi.fn(async () => ann);
  await cache.find('a', read);
  cache.enable();
  const slow = Promise.withResolvers<typeof ann>();
  const reading = cache.find('a', () => slow.promise);
  cache.forgetOwner('bob');
  slow.resolve(ann);
  await reading;
  await cache.find('a', read);
  expect(await cache.find('a', read)).toBe(ann);
  expect(read).toHaveBeenCalledTimes(2);
});

it('forgets a key, or all keys of an owner', async () => {
  const cache = cacheOf();
  cache.enable();
  for (const key of ['a', 'b', 'c']) await cache.find(key, async () => (key === 'c' ? { owner: 'bob' } : ann));
  const isKept = (key: string) => !(cache.find(key, async () => null) instanceof Promise);
  cache.forget('b');
  expect(['a', 'c'].map(isKept)).toEqual([true, true]);
  cache.forgetOwner('ann');
  expect(isKept('a')).toBe(false);
  expect(isKept('c')).toBe(true);
});

it('keeps that something is absent only if nobody can make up keys', async () => {
  const cache = cacheOf(false);
  cache.enable();
  await cache.find('a', async () => null);
  expect(await cache.find('a', async () => ann)).toBe(ann);
});

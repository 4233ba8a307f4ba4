import { expect, it } from 'vitest';
import { findFreeSlug } from '../src/index.ts';

/** The slug for `fest` if these are taken, and how many candidates were asked for at a time. */
async function find(taken: readonly string[]) {
  const asked: number[] = [];
  const slug = await findFreeSlug('fest', async (candidates) => {
    asked.push(candidates.length);
    return new Set(taken.filter((each) => candidates.includes(each)));
  });
  return { slug, asked };
}

const numbers = (to: number) => ['fest', ...Array.from({ length: to - 1 }, (_, index) => `fest-${index + 2}`)];

it('finds the first free number, and asks for candidates only, however many begin alike', async () => {
  expect(await find([])).toEqual({ slug: 'fest', asked: [8] });
  expect(await find(['fest', 'fest-3', 'festival', 'fest-20000'])).toEqual({ slug: 'fest-2', asked: [8] });
  expect((await find(numbers(8))).slug).toBe('fest-9');
  expect((await find(numbers(30).filter((slug) => slug !== 'fest-17'))).slug).toBe('fest-17');
  const { slug, asked } = await find(numbers(3_000));
  expect(slug).toBe('fest-3001');
  expect(asked).toEqual([8, 16, 32, 64, 128, 256, 512, 1_000, 1_000]);
});

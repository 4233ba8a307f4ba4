import { expect, it } from 'vitest';
import { z } from 'zod';
import { distinct, list } from '../src/index.ts';

const max = { items: 3, message: 'At most 3.' };

it('refuses a list for its length before it reads the items, and anything else for its type', () => {
  const read: string[] = [];
  const item = z.string().refine((value) => read.push(value) > 0);
  const schema = list(item, { max, min: { items: 1, message: 'At least one.' } });
  expect(schema.safeParse(['a', 'b', 'c', 'd']).error?.issues).toMatchObject([{ message: 'At most 3.' }]);
  expect(read).toEqual([]);
  expect(schema.safeParse([]).error?.issues).toMatchObject([{ message: 'At least one.' }]);
  expect(schema.safeParse('abcd').error?.issues).toMatchObject([{ code: 'invalid_type' }]);
  expect(schema.parse(['a', 'b'])).toEqual(['a', 'b']);
});

it('refuses each item that repeats an earlier one', () => {
  const item = z.object({ mill: z.string() });
  const keyOf = ({ mill }: z.output<typeof item>) => mill.toLowerCase();
  const schema = list(item, { max }, distinct({ keyOf, path: 'mill', message: 'Again.' }));
  const given = ['a', 'b', 'A'].map((mill) => ({ mill }));
  expect(schema.safeParse(given).error?.issues).toMatchObject([{ path: [2, 'mill'], message: 'Again.' }]);
  const texts = list(z.string(), { max }, distinct({ keyOf: (text) => text, message: 'Again.' }));
  expect(texts.safeParse(['a', 'a', 'a']).error?.issues.map(({ path }) => path)).toEqual([[1], [2]]);
});

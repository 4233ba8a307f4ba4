import { expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '#input-values';
import { DomainError } from '../../src/kernel/errors.ts';
import { checkInput, parseInput } from '../../src/kernel/input/parse-input.ts';

const fault = (pointer: string, detail: string) => ({ pointer, code: 'VALIDATION_ERROR', detail });

test('what is missing is called required, whatever its type; what is wrong keeps its own words', () => {
  const schema = z.strictObject({
    name: z.string('Must be a name.'),
    ids: z.array(z.strictObject({ id: z.string() })),
    status: z.literal([0, 1], 'Must be 0 or 1.'),
    note: z.string().optional(),
  });
  const required = 'This field is required.';
  expect(checkInput(schema, {})).toEqual({
    issues: [fault('/name', 'Must be a name.'), fault('/ids', required), fault('/status', 'Must be 0 or 1.')],
  });
  expect(checkInput(schema, { name: 'A', ids: [{}], status: 2, note: 3 })).toEqual({
    issues: [fault('/ids/0/id', required), fault('/status', 'Must be 0 or 1.'), fault('/note', 'Must be text.')],
  });
});

test.each([
  ['an enum', z.enum(['a', 'b']), 'c', 'Must be one of a, b.'],
  ['null', z.string(), null, 'Must not be null.'],
  ['no list', z.array(z.string()), 'a', 'Must be a list.'],
  ['no object', z.strictObject({}), [], 'Must be an object.'],
  ['a number for a flag', z.boolean(), 1, 'Must be true or false.'],
])('says in words what is wrong: %s', (_what, schema, value, detail) => {
  expect(checkInput(z.strictObject({ it: schema }), { it: value })).toEqual({ issues: [fault('/it', detail)] });
});

test('a list that is too long is refused for that alone, and nothing looks at its items', () => {
  let looked = 0;
  const item = z.string().refine(() => {
    looked += 1;
    return true;
  });
  const schema = z.strictObject({ ids: list(item, { max: { items: 3, message: 'At most 3.' } }).optional() });
  expect(checkInput(schema, { ids: Array<unknown>(4).fill('a') })).toEqual({ issues: [fault('/ids', 'At most 3.')] });
  expect(looked).toBe(0);
  expect(checkInput(schema, { ids: ['a', 1] })).toEqual({
    issues: [fault('/ids/1', 'Must be text.')],
  });
  expect(checkInput(schema, { ids: ['a', 'b', 'c'] })).toEqual({ value: { ids: ['a', 'b', 'c'] } });
  expect(checkInput(schema, {})).toEqual({ value: {} });
  expect(looked).toBe(4);
});

test('of very many faults the first thousand are listed, and that there are more', () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
  const issuesOf = (count: number) => {
    try {
      parseInput(z.strictObject({}), fields(count));
    } catch (error) {
      if (error instanceof DomainError) return error.issues ?? [];
    }
    return [];
  };
  expect(issuesOf(1_000).map(({ pointer }) => pointer)).toEqual(Object.keys(fields(1_000)).map((key) => `/${key}`));
  expect(issuesOf(1_001).slice(999)).toEqual([
    fault('/f999', 'Unknown field.'),
    fault('', 'Only the first 1000 errors are listed.'),
  ]);
});

import { expect, it } from 'vitest';
import { hasMoreValues } from '../../src/http/incoming.ts';

const of = (json: string, most: number) => hasMoreValues(Buffer.from(json), most);

it.each([
  ['keys and values', '{"a":1,"b":2}', 4],
  ['lists within lists', '[[[[]]]]', 4],
  ['objects within objects', '{"a":{"a":{}}}', 5],
  ['lists that are not closed', '[[[[', 4],
])('counts %s', (_what, json, count) => {
  expect([of(json, count), of(json, count - 1)]).toEqual([false, true]);
});

it('counts nothing within strings, however they end', () => {
  expect(of(String.raw`"a,b:[{\",\\"`, 0)).toBe(false);
  expect(of('"a,b:[{', 0)).toBe(false);
});

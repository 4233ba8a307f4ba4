import { expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '#input-values';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { checkInput, parseInput } from '../../src/kernel/input/parse-input.ts';
import { readBodyParameters } from '../../src/rest/server/body-query.ts';
import { listParameters, parseListQuery, readUrlQuery } from '../../src/rest/server/list-query.ts';
import { scanUrl } from '../../src/rest/server/url-query.ts';

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

function issuesOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof DomainError) return error.issues ?? [];
  }
  return [];
}

test('of very many faults the first thousand are listed, and that there are more', () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
  const issues = (count: number) => issuesOf(() => parseInput(z.strictObject({}), fields(count)));
  expect(issues(1_000).map(({ pointer }) => pointer)).toEqual(Object.keys(fields(1_000)).map((key) => `/${key}`));
  expect(issues(1_001).slice(999)).toEqual([
    fault('/f999', 'Unknown field.'),
    fault('', 'Only the first 1000 errors are listed.'),
  ]);
});

const projection = { resource: eventResource, relations: [] };
const readBody = (body: unknown) => readBodyParameters(body, listParameters, eventResource);
const readUrl = (url: string) => readUrlQuery(scanUrl(url, { names: listParameters, filters: eventResource }));
const names = Array.from({ length: 20_000 }, (_, index) => index.toString(36));

test.each([
  ['names of fields', () => parseListQuery(projection, readBody({ fields: names.join(' ') }))],
  ['unknown parameters', () => readBody(Object.fromEntries(names.map((name) => [name, 1])))],
  ['repeated parameters', () => parseListQuery(projection, readUrl(`/?${'sort=1&'.repeat(20_000)}`))],
  ['parameters of the URL', () => parseListQuery(projection, readUrl(`/?${names.join('&')}`))],
  [
    'fields and relations',
    () => parseListQuery(projection, readBody({ fields: names.join(' '), include: names.join(' ') })),
  ],
])('a list query with very many faulty %s lists the first thousand faults', (_, read) => {
  const issues = issuesOf(read);
  expect(issues).toHaveLength(1_001);
  expect(issues.at(-1)).toMatchObject({ pointer: '', detail: 'Only the first 1000 errors are listed.' });
});

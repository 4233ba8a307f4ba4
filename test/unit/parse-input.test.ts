import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { canNormalizeTo, countCharacters, emailAddress, hasAtMost } from '#input-values';
import { newPassword } from '../../src/domain/account/password-policy.ts';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { answersSchema } from '../../src/domain/form/answers-schema.ts';
import { hasMoreValues } from '../../src/http/incoming.ts';
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

test.each([
  ['https://example.org', true],
  ['HTTP://EXAMPLE.org/ü?a=b#c', true],
  ['https://[::1]:8080/', true],
  ['https:///example.org', false],
  ['https://\\example.org', false],
  ['https:example.org', false],
  ['https://', false],
  ['https://a b', false],
  ['ftp://example.org', false],
  ['//example.org', false],
  ['javascript:alert(1)//http://a', false],
])('%j as the answer to a question of type `url` is accepted: %s', (site, accepted) => {
  const schema = answersSchema([{ key: 'site', type: 'url', label: 'Your site' }], { complete: true });
  expect(schema.safeParse({ site }).success).toBe(accepted);
});

test('answers have as many code points as their questions allow', () => {
  const astral = '𝄞';
  const questions = [
    { key: 'short', type: 'text' as const, label: 'Short' },
    { key: 'long', type: 'long_text' as const, label: 'Long' },
    { key: 'three', type: 'text' as const, label: 'Three', min: 3, max: 3 },
  ];
  const schema = answersSchema(questions, { complete: true });
  const fitting = { short: astral.repeat(200), long: astral.repeat(10_000), three: astral.repeat(3) };
  expect(schema.safeParse(fitting).data).toEqual(fitting);
  const wrong = {
    short: [`${fitting.short}x`],
    long: [`${fitting.long}x`],
    three: [astral.repeat(2), astral.repeat(4)],
  };
  for (const [key, values] of Object.entries(wrong))
    for (const value of values)
      expect(schema.safeParse({ ...fitting, [key]: value }).error?.issues.map(({ path }) => path)).toEqual([[key]]);
});

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

it('counts characters, and not those of a text that has more for certain', () => {
  expect(countCharacters('äb🎉', 3)).toBe(3);
  expect(countCharacters('🎉'.repeat(10), 10)).toBe(10);
  expect(countCharacters('a'.repeat(20), 10)).toBe(20);
  expect(countCharacters('a'.repeat(21), 10)).toBe(Number.POSITIVE_INFINITY);
  expect([hasAtMost('🎉'.repeat(10), 10), hasAtMost('🎉'.repeat(11), 10)]).toEqual([true, false]);
});

it('lets every text be normalized that could become short enough', () => {
  // the longest decompositions that NFC composes again
  for (const character of ['\u1FA2', '\uD55C', '\u{110AB}', '\u0390']) {
    expect(canNormalizeTo(character.normalize('NFD').repeat(256), 256)).toBe(true);
  }
});

/** Milliseconds of processor time. */
function timeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

it('refuses marks that would be sorted for seconds, without sorting them', () => {
  const marks = `${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}`;
  for (const schema of [emailAddress, newPassword]) {
    expect(timeOf(() => expect(checkInput(schema, marks)).toHaveProperty('issues'))).toBeLessThan(500);
  }
});

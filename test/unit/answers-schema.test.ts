import { expect, test } from 'vitest';
import { answersSchema } from '../../src/domain/form/answers-schema.ts';

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

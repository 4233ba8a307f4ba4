import { expect, it } from 'vitest';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { readBodyQuery } from '../../src/rest/server/body-query.ts';
import { parseListQuery, readUrlQuery } from '../../src/rest/server/list-query.ts';

const projection = { resource: eventResource, relations: [] };

function issuesOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof DomainError) return error.issues ?? [];
  }
  return [];
}

const names = Array.from({ length: 20_000 }, (_, index) => index.toString(36));

it.each([
  ['names of fields', () => parseListQuery(projection, readBodyQuery('/', { fields: names.join(' ') }))],
  ['unknown parameters', () => readBodyQuery('/', Object.fromEntries(names.map((name) => [name, 1])))],
  ['repeated parameters', () => parseListQuery(projection, readUrlQuery(`/?${'sort=1&'.repeat(20_000)}`))],
  [
    'fields and relations',
    () => parseListQuery(projection, readBodyQuery('/', { fields: names.join(' '), include: names.join(' ') })),
  ],
])('lists the first thousand faults of very many %s', (_, read) => {
  const issues = issuesOf(read);
  expect(issues).toHaveLength(1_001);
  expect(issues.at(-1)).toMatchObject({ pointer: '', detail: 'Only the first 1000 errors are listed.' });
});

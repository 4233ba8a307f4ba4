import { expect, it } from 'vitest';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { readBodyParameters } from '../../src/rest/server/body-query.ts';
import { listParameters, parseListQuery, readUrlQuery } from '../../src/rest/server/list-query.ts';
import { scanUrl } from '../../src/rest/server/url-query.ts';

const projection = { resource: eventResource, relations: [] };

const readBody = (body: unknown) => readBodyParameters(body, listParameters, eventResource);
const readUrl = (url: string) => readUrlQuery(scanUrl(url, { names: listParameters, filters: eventResource }));

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
  ['names of fields', () => parseListQuery(projection, readBody({ fields: names.join(' ') }))],
  ['unknown parameters', () => readBody(Object.fromEntries(names.map((name) => [name, 1])))],
  ['repeated parameters', () => parseListQuery(projection, readUrl(`/?${'sort=1&'.repeat(20_000)}`))],
  ['parameters of the URL', () => parseListQuery(projection, readUrl(`/?${names.join('&')}`))],
  [
    'fields and relations',
    () => parseListQuery(projection, readBody({ fields: names.join(' '), include: names.join(' ') })),
  ],
])('lists the first thousand faults of very many %s', (_, read) => {
  const issues = issuesOf(read);
  expect(issues).toHaveLength(1_001);
  expect(issues.at(-1)).toMatchObject({ pointer: '', detail: 'Only the first 1000 errors are listed.' });
});

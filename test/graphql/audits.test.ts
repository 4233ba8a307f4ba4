import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { serve } from '../support/server.ts';

const server = await serve();

const audits = serverAudits({
  url: () => `${server.url}/graphql`,
  // a GET by a script says that it is none by a foreign page (reference/graphql.md#get)
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...init.headers, 'x-graphql-yoga-csrf': '1' } }),
});

test('the audits of GraphQL over HTTP are all there', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('audit %s %s', async (_id, _name, audit) => {
  const result = await audit.fn();
  expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
});

import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = await shared(startTestServer());

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

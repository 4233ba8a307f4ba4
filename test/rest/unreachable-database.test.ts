import { afterEach, describe, expect, it } from 'vitest';
import { withClient } from '../../src/db/client.ts';
import { startBreakable } from '../support/breakable.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Answer, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const database = await shared(createTestDatabase());
const name = new URL(database.url).pathname.slice(1);
const way = await shared(startBreakable(database.url));
// its statements are given up after one and a half minutes
const server = await serve({ databaseUrl: way.url, env: { WRITE_TIMEOUT_SECONDS: '60' } });

/** Statements on another database of the server. */
async function administer(...statements: string[]): Promise<void> {
  const url = new URL(database.url);
  url.pathname = '/postgres';
  await withClient(url.href, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
const dropConnections = () => `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;

const organization = { organizationId: crypto.randomUUID() };
const query = '{ publicEvents(first: 1) { totalCount } }';
const accept = { accept: 'application/graphql-response+json' };
const faces: [string, () => Promise<Answer>][] = [
  ['REST', () => send(server, organization, 'GET /public/events')],
  ['GraphQL', () => send(server, organization, 'POST /graphql', { query }, accept)],
  ['a page', () => send(server, {}, 'GET /o/demo')],
];
const readiness = async () => {
  const { status, body } = await send(server, {}, 'GET /readyz');
  return [status, body];
};
const reachable = [200, { ready: true, database: 'reachable' }];
const unreachable = [200, { ready: true, database: 'unreachable' }];
const statuses = () => Promise.all(faces.map(async ([, ask]) => (await ask()).status));

describe('a database that takes no connections is 503 on each face, until it does', async () => {
  const usual = await statuses();
  expect(usual).not.toContain(503);

  it.each([
    ['', `alter database "%" allow_connections false`, `alter database "%" allow_connections true`],
    [' under its name', `alter database "%" rename to "%_away"`, `alter database "%_away" rename to "%"`],
  ])('%s', async (_, shut, open) => {
    // a database with connections cannot be renamed
    await administer(`alter database "${name}" allow_connections false`, dropConnections());
    try {
      await administer(shut.replaceAll('%', name));
      // it shares an answer for a second
      await expect.poll(statuses).toEqual(faces.map(() => 503));
      // no other replica would have it
      await expect.poll(readiness).toEqual(unreachable);
      for (const [face, ask] of faces) {
        const answer = await ask();
        expect([face, answer.status, answer.headers.has('retry-after')]).toEqual([face, 503, true]);
        if (face !== 'a page') expect(answer.text).toContain('SERVICE_UNAVAILABLE');
      }
    } finally {
      await administer(open.replaceAll('%', name), `alter database "${name}" allow_connections true`);
    }
    await expect.poll(statuses).toEqual(usual);
  });
});

describe('a database that hangs', () => {
  afterEach(() => way.mend());

  it('is told at /readyz long before statements are given up, and until it is back', async () => {
    const [[, list]] = faces as [(typeof faces)[0]];
    // several connections
    await Promise.all(Array.from({ length: 8 }, list));
    await expect.poll(readiness).toEqual(reachable);
    way.silence();
    await expect.poll(readiness).toEqual(unreachable);
    await way.mend();
    await expect.poll(readiness).toEqual(reachable);
  });
});

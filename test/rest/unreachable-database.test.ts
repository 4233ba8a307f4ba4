import { afterEach, describe, expect, it } from 'vitest';
import { withClient } from '../../src/db/client.ts';
import { startBreakable } from '../support/breakable.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent } from '../support/fixtures.ts';
import { type Answer, callerHeaders, send } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { shared } from '../support/shared.ts';

/** Messages of the extended query protocol with the name of a cursor: Execute and Close (PostgreSQL 18, section 54.7). */
const moments = {
  'while the first rows are read': /E\0\0\0.C_/s,
  'between the last row and the end of the cursor': /C\0\0\0.PC_/s,
};

/** The connection that sends this is lost. */
let last: RegExp | null = null;
const database = await shared(createTestDatabase());
const name = new URL(database.url).pathname.slice(1);
const way = await shared(
  startBreakable(database.url, (client, upstream) => ({
    toServer: (bytes) => (last?.test(bytes.toString('latin1')) ? client.destroy() : upstream.write(bytes)),
  })),
);
// its statements are given up after one and a half minutes
const { server, team } = await serveTeam({ databaseUrl: way.url, env: { WRITE_TIMEOUT_SECONDS: '60' } });

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

await insertEvent(server.orm, { organizationId: team.organizationId, name: 'The only event' });

const exportAs = (format: string) =>
  fetch(`${server.url}/events/export?format=${format}&fields=name`, { headers: callerHeaders(team.manager) });

describe.each(Object.entries(moments))('an export that loses its connection %s', (_, moment) => {
  it.each(['ndjson', 'csv'])('ends, and is never taken for the whole: %s', async (format) => {
    last = moment;
    try {
      const answer = await exportAs(format);
      // the first line of CSV was sent already
      if (answer.status === 200) await expect(answer.text()).rejects.toThrow();
      else expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'SERVICE_UNAVAILABLE' }]);
    } finally {
      last = null;
    }
    expect(await (await exportAs(format)).text()).toContain('The only event');
  });
});

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

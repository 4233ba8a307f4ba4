import { describe, expect, it } from 'vitest';
import { startBreakable } from '../support/breakable.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent } from '../support/fixtures.ts';
import { callerHeaders } from '../support/graphql.ts';
import { shared } from '../support/shared.ts';
import { serveTeam } from '../support/team.ts';

/** Messages of the extended query protocol with the name of a cursor: Execute and Close (PostgreSQL 18, section 54.7). */
const moments = {
  'while the first rows are read': /E\0\0\0.C_/s,
  'between the last row and the end of the cursor': /C\0\0\0.PC_/s,
};

/** The connection that sends this is lost. */
let last: RegExp | null = null;
const database = await shared(createTestDatabase());
const way = await shared(
  startBreakable(database.url, (client, upstream) => ({
    toServer: (bytes) => (last?.test(bytes.toString('latin1')) ? client.destroy() : upstream.write(bytes)),
  })),
);
const { server, team } = await serveTeam({ databaseUrl: way.url });
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

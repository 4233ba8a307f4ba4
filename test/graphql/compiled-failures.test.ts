import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type GraphqlAnswer, graphql } from '../support/graphql.ts';
import { executedOnce } from '../support/lanes.ts';
import { serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();

const document =
  'query ($name: String!, $after: String) { events(where: {name: {contains: $name}}, after: $after) { nodes { id } } }';

/** Asks often enough that the operation runs compiled. */
async function ask(variables: Record<string, unknown>, times = 1): Promise<GraphqlAnswer> {
  const answer = await executedOnce(() => graphql(server, team.owner, document, variables));
  return times > 1 ? await ask(variables, times - 1) : answer;
}

const failures = () =>
  server.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'a compiled operation failed');

it('a compiled operation that fails is logged and counted, without a value, and answered by graphql-js', async () => {
  expect((await ask({ name: 'hidden' }, 3)).errors).toBeUndefined();
  const rename = (from: string, to: string) => server.execute(`alter table ${from} rename to ${to}`);
  await rename('event', 'absent');
  try {
    for (const count of [1, 2]) {
      const { errors, headers } = await ask({ name: 'hidden' });
      expect(errors?.[0]).toMatchObject({ path: ['events'], extensions: { code: 'INTERNAL_SERVER_ERROR' } });
      const line = failures().at(-1);
      expect(line).toMatchObject({
        level: 40,
        requestId: headers.get('x-request-id'),
        document: createHash('sha256').update(document).digest('hex'),
        failures: count,
        at: expect.arrayContaining([expect.stringMatching(/^at /)]),
      });
      expect(JSON.stringify(line)).not.toMatch(/hidden|absent|does not exist/);
    }
  } finally {
    await rename('absent', 'event');
  }
  expect(server.takeCompiledFailures()).toHaveLength(2);
});

it('a compiled operation that is refused is no failure', async () => {
  expect((await ask({ name: 'any' }, 3)).errors).toBeUndefined();
  expect((await ask({ name: 'any', after: 'nonsense' })).errors?.[0]?.extensions.code).toBe('INVALID_CURSOR');
  expect((await ask({ name: '' })).errors?.[0]?.extensions.code).toBe('INVALID_QUERY');
  expect(server.takeCompiledFailures()).toEqual([]);
});

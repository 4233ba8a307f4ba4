import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectionsOf } from '../../src/db/access/connections.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('200 questions at once whether the service is ready ask the database a few times at most', async () => {
  const probes = vi.spyOn(connectionsOf(server.orm).primary, 'query');
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await fetch(`${server.url}/readyz`);
      return [answer.status, await answer.json()];
    }),
  );
  expect(answers).toEqual(answers.map(() => [200, true]));
  const statements = probes.mock.calls.filter(
    ([asked]) => (asked as unknown as { text: string }).text === 'select 1',
  ).length;
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThan(20);
});

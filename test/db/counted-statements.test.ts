import { expect, it, onTestFinished, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { serve } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const server = await serve();

it('what the service asks by itself is not counted as asked by a request', async () => {
  const { statements } = await countStatements(server.orm, async () => {
    const asked = vi.spyOn(PostgresDatabase.prototype, 'rows');
    onTestFinished(() => asked.mockRestore());
    await expect.poll(() => asked.mock.settledResults.length).toBeGreaterThan(3);
  });
  expect(statements).toEqual([]);
  const asked = await countStatements(server.orm, () =>
    fetch(`${server.url}/public/events`, { headers: { 'x-organization-id': crypto.randomUUID() } }),
  );
  expect(asked.statements).not.toEqual([]);
});

import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { describeFailure, fuzz } from './fuzz.ts';

// the long form is `npm run fuzz`
it('two processes answer any request alike on both faces, without a failure and without rows of others', {
  timeout: 180_000,
}, async () => {
  const database = await createTestDatabase();
  try {
    const seed = 7;
    const report = await fuzz({ databaseUrl: database.url, seed, requests: 2_500, part: { index: 1, of: 1 } });
    expect(report.failures.map((failure) => describeFailure(failure, seed))).toEqual([]);
    expect(report.limited).toBeLessThan(report.requests / 100);
    // otherwise it says nothing
    expect(report.byStatus[200]).toBeGreaterThan(report.requests / 3);
    expect(report.byStatus[400]).toBeGreaterThan(report.requests / 20);
  } finally {
    await database.drop();
  }
});

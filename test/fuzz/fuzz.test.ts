import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { describeFailure, fuzz } from './fuzz.ts';

// the long form is `npm run fuzz`
it('two processes answer any request alike on both faces, without a failure and without rows of others', {
  timeout: 300_000,
}, async () => {
  const database = await createTestDatabase();
  try {
    const options = { databaseUrl: database.url, seed: 7, requests: 1_500, part: { index: 1, of: 1 } };
    const report = await fuzz(options);
    expect(report.failures.map((failure) => describeFailure(failure, options))).toEqual([]);
    expect(report.limited).toBeLessThan(report.requests / 100);
    // otherwise it says nothing
    expect(report.byStatus[200]).toBeGreaterThan(report.requests / 3);
    expect(report.byStatus[400]).toBeGreaterThan(report.requests / 20);
    const compared = Object.keys(report.compared);
    expect(compared).toEqual(expect.arrayContaining(['events', 'sessions', 'changes', 'change an event']));
    expect(compared).toEqual(
      expect.arrayContaining(['one event', 'one profile', 'end a session', 'change the profile']),
    );
  } finally {
    await database.drop();
  }
});

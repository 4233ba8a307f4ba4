import { afterEach, beforeEach } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Each another number, so that a setting in the place of another one is noticed. */
export const retentionDays = {
  audit: 20,
  changes: 11,
  endedSessions: 3,
  expiredInvitations: 5,
  unprovenAccounts: 7,
  mails: 9,
};

/** A time, as SQL. */
export const ago = (days: number) => `now() - interval '${days} days'`;

/** Gives each test of the file an empty database of its own. */
export function sweptDatabase() {
  const database = {} as TestDatabase;
  beforeEach(async () => void Object.assign(database, await createTestDatabase()));
  afterEach(() => database.drop());
  const run = <Row>(statement: string, values: unknown[] = []) => database.execute<Row>(statement, values);
  const count = async (table: string) =>
    (await run<{ count: number }>(`select count(*)::int as count from "${table}"`))[0]?.count;
  return Object.assign(database, { run, count });
}

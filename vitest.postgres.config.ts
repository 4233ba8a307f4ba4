import { circle } from './vitest.config.ts';

// what touches the database, for the major version of PostgreSQL that TEST_POSTGRES_MAJOR names; without what is of the embedded one
// alone, without plans, which are of its planner, and without what needs a process of its own, to run in a few minutes
const include = [
  'packages/*/test/database/*.test.ts',
  'test/db/*.test.ts',
  'test/imports.test.ts',
  'test/chaos/dump.test.ts',
  'test/ops/{admin,roles}.test.ts',
  'test/parity/subscriptions.test.ts',
  'test/rest/{audit,changes,events,webhooks}.test.ts',
];
const exclude = ['test/db/embedded*.test.ts', 'test/db/{plans,prepared}.test.ts'];

export default circle(include, exclude, []);

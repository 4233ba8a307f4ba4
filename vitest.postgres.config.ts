import base from './vitest.config.ts';

// what touches the database, for the major version of PostgreSQL that TEST_POSTGRES_MAJOR names; without what is of the embedded one
// alone, and without the recorded plans, which are of its planner
const include = [
  'test/db/*.test.ts',
  'test/imports.test.ts',
  'test/ops/{admin,dump-with-roles,roles}.test.ts',
  'test/parity/subscriptions.test.ts',
  'test/rest/{audit,changes,events,webhooks}.test.ts',
];
const exclude = ['test/db/embedded*.test.ts', 'test/db/{list-plans,plans,planned-once}.test.ts'];

export default { ...base, test: { ...base.test, projects: undefined, name: 'service', include, exclude } };

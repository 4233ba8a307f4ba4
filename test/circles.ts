/** What `npm run test:nightly` runs and `npm test` does not: what takes long, or depends on the speed of the machine. */
export const nightly = [
  // random requests, faults, and browsers with the examples, with all that GraphiQL does, and in search of what is not accessible
  'test/{chaos,examples,fuzz}/*.test.ts',
  'test/clients/{accessible-pages,graphiql-examples,graphiql-sign-in}.test.ts',
  // floods, large values, races of many, memory, models and random documents
  'test/hostile/{change-replay,erasing-races,event-model,given-up-statements,large-forms,large-values,memory}.test.ts',
  'test/hostile/{page-elements,places,processes,retries,session-model,siege,sign-in-flood}.test.ts',
  'test/hostile/{slow-clients,turns}.test.ts',
  'test/graphql/lanes-property.test.ts',
  // drills with processes, proxies, poolers and servers
  'test/ops/{admin,metrics,operator-guide}.test.ts',
  'test/rest/{account-timing,key-revocation,pgbouncer,replicas,start,waiting,webhook-keys}.test.ts',
  'test/db/{commands,embedded-supervision,mail-budgets,outbox,replication,sample-data,webhook-slow}.test.ts',
  'packages/embedded-postgres/test/*.test.ts',
  // plans
  'test/db/{plans,trail-plans}.test.ts',
  // every regular expression, description and breaking change
  'test/{patterns,release}.test.ts',
  'packages/safe-markdown/test/*.test.ts',
];

/** Further ones of these, which need a process of their own. */
export const nightlyOwn = ['test/db/prepared.test.ts', 'test/hostile/held-memory.test.ts'];

/** What `npm run test:unit` runs: what needs neither PostgreSQL nor a browser. */
export const unit = [
  'test/{architecture,devices,imports,interface,lockfile,references}.test.ts',
  'packages/*/test/*.test.ts',
  'test/unit/*.test.ts',
];

/**
 * What `npm run test:postgres` runs on the major version that TEST_POSTGRES_MAJOR names: what touches the database, without what is of
 * the embedded one alone, without plans, which are of its planner, and without what needs a process of its own, to take a few minutes.
 */
export const postgres = [
  'packages/*/test/database/*.test.ts',
  'test/db/*.test.ts',
  'test/imports.test.ts',
  'test/chaos/dump.test.ts',
  'test/ops/{admin,roles}.test.ts',
  'test/parity/list-from.test.ts',
  'test/rest/{audit,changes,events,webhooks}.test.ts',
];

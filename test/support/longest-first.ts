import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than five seconds, the longest first: if one of them were the last, all workers but one would be idle. */
const long = [
  'fuzz/fuzz',
  'chaos/point-in-time',
  'hostile/turns',
  'hostile/siege',
  'hostile/large-values',
  'db/plans',
  'embedded-postgres',
  'hostile/deadlocks',
  'hostile/places',
  'rest/key-revocation',
  'hostile/slow-clients',
  'rest/process',
  'rest/start',
  'db/outbox',
  'hostile/event-model',
  'hostile/sign-in-flood',
  'examples/relay',
  'examples/apollo',
  'examples/urql',
  'clients/graphiql-examples',
  'db/commands',
  'ops/admin',
  'db/replication',
  'patterns',
  'hostile/memory',
  'hostile/refresh-processes',
  'rest/account-timing',
  'hostile/given-up-statements',
  'rest/limits',
  'hostile/large-forms',
  'rest/waiting-mails',
  'db/mail-budgets',
  'hostile/retries',
  'clients/graphiql-sign-in',
  'rest/pgbouncer',
  'rest/mail',
  'db/migration-locks',
  'db/embedded-supervision',
  'db/sample-data',
  'db/embedded-owner',
  'rest/invitation-authority',
  'hostile/public-pages',
  'hostile/session-model',
  'hostile/framing',
  'rest/public-events',
  'pages/public-pages',
  'rest/members',
  'rest/replicas',
  'hostile/strangers',
  'parity/transitions',
  'db/replicas',
  'clients/public-pages',
  'graphql/lanes-property',
  'rest/export',
  'graphql/answer-size',
  'clients/guest-pages',
  'parity/event-mails',
  'hostile/document-memory',
  'clients/accessible-pages',
  'hostile/event-notices',
  'parity/walks',
  'db/migrations',
  'db/import',
  'hostile/sockets',
  'hostile/addresses',
  'parity/shared-trail',
];

/** Starts the longest files first, then the others as Vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = long.findIndex((each) => moduleId.endsWith(`/test/${each}.test.ts`));
      return index === -1 ? long.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

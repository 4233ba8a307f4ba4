import { availableParallelism } from 'node:os';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { entities } from '../domain/entities.ts';
import { RowClient } from '../domain/row-client.ts';
import { migrations } from './migrations/migrations.ts';

/** How to reach the database. */
export interface ConnectionOptions {
  url: string;
  /** Read replicas; they get the reads that ask for one and no others. */
  replicaUrls?: string[];
  /** Connections at the most; by default twice the cores, which was measured best, and one that listens. */
  poolSize?: number;
  /** Milliseconds after which a statement is cancelled; 0 never. */
  statementTimeout?: number;
  /** Milliseconds that a statement waits for a connection, free or new. */
  connectionTimeout?: number;
  /** Milliseconds after which a transaction that does nothing is rolled back; 0 never. */
  idleInTransactionTimeout?: number;
  /** Gets what the pool has to say, as about connections that the server dropped. */
  warn?: (message: string) => void;
}

/** No statement of a request takes this long unless something is wrong, and then it must not hold its connection. */
const defaultStatementTimeout = 10_000;
const defaultConnectionTimeout = 5_000;

/** Takes the `options` out of a URL, which would otherwise stand in the place of ours: what comes last of them holds. */
function splitOptions(url: string): { bare: string; options: string } {
  const parsed = URL.parse(url);
  const options = parsed?.searchParams.get('options') ?? null;
  if (!parsed || options === null) return { bare: url, options: '' };
  parsed.searchParams.delete('options');
  return { bare: parsed.href, options };
}

/** The one configuration of the ORM: of the service, the commands and the tests. */
export function ormOptions(options: ConnectionOptions) {
  const { url, replicaUrls = [], poolSize = availableParallelism() * 2 + 1, warn = () => undefined } = options;
  const { statementTimeout = defaultStatementTimeout, idleInTransactionTimeout = 60_000 } = options;
  const { connectionTimeout = defaultConnectionTimeout } = options;
  // timestamps are read as text, and their text depends on the session's zone (domain/timestamp.ts)
  const ours = `-c TimeZone=UTC -c statement_timeout=${statementTimeout} -c idle_in_transaction_session_timeout=${idleInTransactionTimeout}`;
  const connectionTo = (clientUrl: string) => {
    const { bare, options: theirs } = splitOptions(clientUrl);
    const driverOptions = {
      // the ORM itself reads only host, port, user, password and name of the URL, and would drop sslmode
      connectionString: bare,
      Client: RowClient,
      application_name: 'events-gateway',
      options: `${theirs} ${ours}`.trim(),
      // where the server can no longer be heard it cannot cancel either
      silenceTimeout: statementTimeout * 1.5,
      min: 0,
      max: poolSize,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: connectionTimeout,
      keepAlive: true,
    };
    return { clientUrl, driverOptions };
  };
  return defineConfig({
    ...connectionTo(url),
    replicas: replicaUrls.map(connectionTo),
    // a replica lags, so a read must ask for one: sessions and memberships are never read there
    preferReadReplicas: false,
    entities,
    extensions: [Migrator],
    migrations: {
      migrationsList: migrations,
      // one transaction for all: a failed start leaves the schema as it was
      allOrNothing: true,
      snapshot: false,
      silent: true,
    },
    // the triggers and their functions live in the migrations alone
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    forceUtcTimezone: true,
    ensureDatabase: false,
    debug: false,
    colors: false,
    logger: warn,
  });
}

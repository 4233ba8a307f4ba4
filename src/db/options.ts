import { availableParallelism } from 'node:os';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, EntityCaseNamingStrategy } from '@mikro-orm/postgresql';
import type { Bounds } from '../config/bounds.ts';
import { entities } from '../domain/entities.ts';
import { SessionClient, type SessionClientConfig } from './access/session-client.ts';
import { type MigrationEntry, migrations } from './migrations/migrations.ts';

/** The settings of connections. */
export interface PoolSettings {
  /** Maximum number of connections; by default twice the cores, which was measured best, and one for background work. */
  poolSize?: number;
  /** Milliseconds after which a statement is cancelled; 0 never. */
  statementTimeout?: number;
  /** Milliseconds after which a statement of a transaction is cancelled, if it is not the same as for others. */
  writeTimeout?: number;
  /** Milliseconds of the longest statement timeout that a transaction sets. */
  longestStatement?: number;
  /** Milliseconds after which a statement stops waiting for a lock; 0 never. */
  lockTimeout?: number;
  /** Milliseconds that a statement waits for a connection, free or new. */
  connectionTimeout?: number;
  /** Milliseconds after which a transaction that does nothing is rolled back; 0 never. */
  idleInTransactionTimeout?: number;
}

/** How to reach the database. */
export interface ConnectionOptions extends PoolSettings {
  url: string;
  /** The current location of `url`; called for every new connection to the primary. */
  locate?: () => string;
  /** Read replicas; they get only reads that allow one. */
  replicaUrls?: string[];
  /** The migrations to run; ours by default. */
  migrations?: MigrationEntry[];
  /** Gets messages of the pool, for example about connections that the server dropped. */
  warn?: (message: string) => void;
}

/** No statement of a request takes this long unless something is wrong, and then it must not keep its connection. */
const defaultStatementTimeout = 10_000;
const defaultConnectionTimeout = 5_000;

/**
 * A host that vanishes without a word ends its transactions, and frees its keys, after a minute
 * (interface/writes.md#idempotency-keys).
 */
const vanishedTimeout = 60_000;
/** No host that is there lets a transaction do nothing for so long. */
const shortestIdle = 10_000;

/** The settings of the service's connections: the time-outs of reads; transactions set their own. */
export function serviceConnections({ database }: Bounds): PoolSettings {
  const { poolSize, readTimeout, writeTimeout, lockTimeout } = database;
  const timeouts = {
    // the host may vanish while a statement runs, whose end begins the time
    idleInTransactionTimeout: Math.max(vanishedTimeout - writeTimeout, shortestIdle),
    statementTimeout: readTimeout,
    writeTimeout,
    longestStatement: writeTimeout,
    lockTimeout,
  };
  return { ...timeouts, ...(poolSize === null ? {} : { poolSize }) };
}

/** The options of the driver for one pool of connections. */
export function poolOptions(url: string, settings: PoolSettings) {
  const { statementTimeout = defaultStatementTimeout, idleInTransactionTimeout = 60_000, lockTimeout = 0 } = settings;
  const { longestStatement = statementTimeout } = settings;
  const { poolSize = availableParallelism() * 2 + 1, connectionTimeout = defaultConnectionTimeout } = settings;
  return {
    connectionString: url,
    Client: SessionClient,
    application_name: 'events-gateway',
    session: {
      // timestamps are read as text (kernel/timestamp.ts)
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      statement_timeout: statementTimeout,
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: idleInTransactionTimeout,
    },
    ...(settings.writeTimeout === undefined ? {} : { writeTimeout: settings.writeTimeout }),
    // a server that no longer responds cannot cancel either
    silenceTimeout: Math.max(statementTimeout, longestStatement) * 1.5,
    min: 0,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectionTimeout,
    keepAlive: true,
  };
}

function clientAt(locate: () => string): typeof SessionClient {
  return class extends SessionClient {
    constructor(config?: SessionClientConfig) {
      super({ ...config, connectionString: locate() });
    }
  };
}

/** The clients of the primary, which may move. */
export function clientOptions({ locate }: ConnectionOptions) {
  return locate ? { Client: clientAt(locate) } : {};
}

/** The one configuration of the ORM: of the service, the commands and the tests. */
export function ormOptions(options: ConnectionOptions) {
  const { url, migrations: list = migrations, warn = () => undefined } = options;
  return defineConfig({
    clientUrl: url,
    // the ORM reads only host, port, user, password and name from the URL, and would drop sslmode
    driverOptions: { ...poolOptions(url, options), ...clientOptions(options) },
    entities,
    // the properties of an entity are the columns of its table
    namingStrategy: EntityCaseNamingStrategy,
    extensions: [Migrator],
    migrations: {
      migrationsList: list,
      // each in its own transaction: those that build indexes cannot run in one
      allOrNothing: false,
      snapshot: false,
      silent: true,
    },
    // triggers, their functions and views for the version before exist only in the migrations
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true, skipViews: [/./] },
    forceUtcTimezone: true,
    ensureDatabase: false,
    debug: false,
    colors: false,
    logger: warn,
  });
}

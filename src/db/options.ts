import { availableParallelism } from 'node:os';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, EntityCaseNamingStrategy } from '@mikro-orm/postgresql';
import { type Pooler, postgresServers, SessionClient } from '#postgres-access';
import type { Bounds } from '../config/bounds.ts';
import { entities } from '../domain/entities.ts';
import { type MigrationEntry, migrations } from './migrations/migrations.ts';

export interface PoolSettings {
  /** By default twice the cores, which measured best, plus one for background work. */
  poolSize?: number;
  /** Milliseconds after which a statement is cancelled; 0 for never. */
  statementTimeout?: number;
  /** Milliseconds after which a statement of a transaction is cancelled, if different from other statements. */
  writeTimeout?: number;
  /** Milliseconds after which a statement stops waiting for a lock; 0 for never. */
  lockTimeout?: number;
  /** Milliseconds to wait for a free or new connection. */
  connectionTimeout?: number;
  /** Milliseconds after which an idle transaction is rolled back; 0 for never. */
  idleInTransactionTimeout?: number;
  pooler?: Pooler | null;
  /** Whether statements are sent without waiting for earlier results; the default without a pooler. */
  pipeline?: boolean;
  /** Seconds that a replica may be behind before it gets no reads. */
  replicaMaxLag?: number;
}

export interface ConnectionOptions extends PoolSettings {
  url: string;
  /** The current location of `url`; called for every new connection to the primary. */
  locate?: () => string;
  replicaUrls?: string[];
  migrations?: MigrationEntry[];
  /** Receives messages about lost connections. */
  warn?: (message: string) => void;
}

const defaultStatementTimeout = 10_000;
const defaultConnectionTimeout = 5_000;

/** A host that vanishes leaves its transactions open this long (reference/writes.md#idempotency-keys). */
const vanishedTimeout = 60_000;
/** A live host never leaves a transaction idle for this long. */
const shortestIdle = 10_000;

/** The settings of the service's connections, with the timeouts of reads; transactions set their own. */
export function serviceConnections({ database }: Bounds): PoolSettings {
  const { poolSize, readTimeout, writeTimeout, lockTimeout, replicaMaxLag } = database;
  const timeouts = {
    // the idle time starts when the running statement ends
    idleInTransactionTimeout: Math.max(vanishedTimeout - writeTimeout, shortestIdle),
    statementTimeout: readTimeout,
    writeTimeout,
    lockTimeout,
    replicaMaxLag,
  };
  return { ...timeouts, ...(poolSize === null ? {} : { poolSize }) };
}

export function poolOptions(url: string, settings: PoolSettings) {
  const { statementTimeout = defaultStatementTimeout, idleInTransactionTimeout = 60_000, lockTimeout = 0 } = settings;
  const { poolSize = availableParallelism() * 2 + 1, connectionTimeout = defaultConnectionTimeout } = settings;
  const { pooler = null, pipeline = pooler === null } = settings;
  return {
    connectionString: url,
    Client: SessionClient,
    pooler,
    pipeline,
    application_name: 'events-gateway',
    session: {
      // timestamps are read as text (packages/input-values)
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      statement_timeout: statementTimeout,
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: idleInTransactionTimeout,
    },
    ...(settings.writeTimeout === undefined ? {} : { writeTimeout: settings.writeTimeout }),
    // a server that no longer responds cannot cancel a statement
    silenceTimeout: Math.max(statementTimeout, settings.writeTimeout ?? 0) * 1.5,
    min: 0,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectionTimeout,
    keepAlive: true,
  };
}

export function ormOptions(options: ConnectionOptions) {
  const { url, migrations: list = migrations, warn = () => undefined } = options;
  return defineConfig({
    // the connections themselves find the primary among several servers
    clientUrl: postgresServers(url).urls[0],
    // the ORM would drop sslmode from the URL
    driverOptions: { ...poolOptions(url, options), locate: options.locate },
    entities,
    // the properties of an entity are the columns of its table
    namingStrategy: EntityCaseNamingStrategy,
    extensions: [Migrator],
    migrations: {
      migrationsList: list,
      // those that build indexes cannot run in a transaction
      allOrNothing: false,
      snapshot: false,
      silent: true,
    },
    // triggers and their functions exist only in the migrations
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    forceUtcTimezone: true,
    ensureDatabase: false,
    debug: false,
    colors: false,
    logger: warn,
  });
}

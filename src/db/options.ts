import { availableParallelism } from 'node:os';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, EntityCaseNamingStrategy } from '@mikro-orm/postgresql';
import type { Bounds } from '../config/bounds.ts';
import { entities } from '../domain/entities.ts';
import { postgresServers } from '../kernel/network/postgres-servers.ts';
import { type Pooler, SessionClient } from './access/session.ts';
import { type MigrationEntry, migrations } from './migrations/migrations.ts';

/** The settings of a pool of connections. */
export interface PoolSettings {
  /** Maximum number of connections; by default twice the cores, which measured best, plus one for background work. */
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
  /** What the connections lead through; null, the default, for nothing. */
  pooler?: Pooler | null;
  /** Whether connections send statements without waiting for the answers to earlier ones; the default without a pooler. */
  pipeline?: boolean;
  /** Seconds that a replica may be behind before it gets no reads. */
  replicaMaxLag?: number;
}

/** How to reach the database. */
export interface ConnectionOptions extends PoolSettings {
  url: string;
  /** The current location of `url`; called for every new connection to the primary. */
  locate?: () => string;
  /** Read replicas, used only for reads that allow it. */
  replicaUrls?: string[];
  /** The migrations to run; ours by default. */
  migrations?: MigrationEntry[];
  /** Receives messages of the pool, for example about connections that the server dropped. */
  warn?: (message: string) => void;
}

/** A statement of a request takes this long only if something is wrong, and must then release its connection. */
const defaultStatementTimeout = 10_000;
const defaultConnectionTimeout = 5_000;

/**
 * After a host vanishes without closing its connections, its transactions end, and free its keys, within a minute
 * (reference/writes.md#idempotency-keys).
 */
const vanishedTimeout = 60_000;
/** A live host never leaves a transaction idle for this long. */
const shortestIdle = 10_000;

/** The settings of the service's connections, with the timeouts of reads; transactions set their own. */
export function serviceConnections({ database }: Bounds): PoolSettings {
  const { poolSize, readTimeout, writeTimeout, lockTimeout, replicaMaxLag } = database;
  const timeouts = {
    // the host may vanish while a statement runs, and the idle time starts only when that ends
    idleInTransactionTimeout: Math.max(vanishedTimeout - writeTimeout, shortestIdle),
    statementTimeout: readTimeout,
    writeTimeout,
    lockTimeout,
    replicaMaxLag,
  };
  return { ...timeouts, ...(poolSize === null ? {} : { poolSize }) };
}

/** The options of the driver for one pool of connections. */
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
      // timestamps are read as text (kernel/scalars.ts)
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      statement_timeout: statementTimeout,
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: idleInTransactionTimeout,
    },
    ...(settings.writeTimeout === undefined ? {} : { writeTimeout: settings.writeTimeout }),
    // a server that no longer responds cannot cancel the statement either
    silenceTimeout: Math.max(statementTimeout, settings.writeTimeout ?? 0) * 1.5,
    min: 0,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectionTimeout,
    keepAlive: true,
  };
}

/** The configuration of the ORM for the service, the commands and the tests. */
export function ormOptions(options: ConnectionOptions) {
  const { url, migrations: list = migrations, warn = () => undefined } = options;
  return defineConfig({
    // the connections themselves find the primary among several servers
    clientUrl: postgresServers(url).urls[0],
    // the ORM reads only host, port, user, password and name from the URL, and would drop sslmode
    driverOptions: { ...poolOptions(url, options), locate: options.locate },
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
    // triggers and their functions exist only in the migrations
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    forceUtcTimezone: true,
    ensureDatabase: false,
    debug: false,
    colors: false,
    logger: warn,
  });
}

import path from 'node:path';
import { boundsOf } from './bounds.ts';
import { type SecretKind, secretKinds, secretVariables } from './secrets-file.ts';
import { type Environment, publicUrl, reading, strictInteger } from './values.ts';
import {
  databaseFaults,
  databaseVariables,
  manifestFaults,
  missingFaults,
  type poolers,
  read,
  serverVariables,
} from './variables.ts';

/** The location of the database. */
export interface DatabaseSettings {
  /** The connection URL, or null for the embedded PostgreSQL under `dataDir`. */
  url: string | null;
  /** The same database without a connection pooler, for migrations, `LISTEN` and commands; null if `url` is direct. */
  directUrl: string | null;
  /** What `url` and `replicaUrls` lead through; null for nothing. */
  pooler: (typeof poolers)[number] | null;
  /** Read replicas of `url`. */
  replicaUrls: string[];
  /** Absolute path of the service's files. */
  dataDir: string;
}

/** The settings of a command-line task, which serves no requests and so needs no secrets. */
export interface CommandSettings {
  database: DatabaseSettings;
  production: boolean;
}

/** Every setting of the service, checked and renamed; interface/settings.md says what each means. */
export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads every setting of the service.
 *
 * @throws Error that lists all faults but quotes no value, since a value may be a secret
 */
export function readSettings(env: Environment = process.env) {
  const production = env.NODE_ENV === 'production';
  const variables = read(serverVariables(production), env, (present) => [
    ...databaseFaults(present),
    ...manifestFaults(present),
    ...(production ? missingFaults(present) : []),
  ]);
  const database = databaseSettings(variables);
  return {
    http: {
      /** 0 picks a free port. */
      port: variables.PORT,
      host: variables.HOST,
      /** Where clients reach the service, without a trailing slash; null if it follows from host and port. */
      publicUrl: variables.PUBLIC_URL,
      /** Express's `trust proxy`: all, none, a number of hops, or addresses and networks. */
      trustProxy: variables.TRUST_PROXY,
      corsOrigins: variables.CORS_ORIGINS,
      graphiql: variables.GRAPHIQL,
    },
    graphql: {
      trustedDocuments: variables.TRUSTED_DOCUMENTS === null ? null : path.resolve(variables.TRUSTED_DOCUMENTS),
      trustedOnly: variables.TRUSTED_DOCUMENTS_ONLY,
    },
    database,
    auth: {
      /** Those from the environment; `completeSecrets` adds the others. */
      secrets: {
        cookieSecrets: variables.COOKIE_SECRET,
        cursorSecrets: variables.CURSOR_SECRET,
        encryptionKeys: variables.ENCRYPTION_KEY,
        privateKeys: variables.JWT_PRIVATE_KEY,
      },
      refreshGraceSeconds: variables.REFRESH_GRACE_SECONDS,
      sessionMaxDays: variables.SESSION_MAX_DAYS,
    },
    /** Without a server, mails are stored as files; without a sender, they come from `no-reply` at the host of the public URL. */
    mail: { smtp: variables.SMTP_URL, from: variables.MAIL_FROM, dir: path.join(database.dataDir, 'mail') },
    /** What webhooks may reach although it is not public. */
    webhookAllow: variables.WEBHOOK_ALLOW,
    rateLimit: variables.RATE_LIMIT,
    bounds: boundsOf(variables),
    /** Whether the service is meant to be reached from other machines. */
    exposed: production || (variables.PUBLIC_URL?.startsWith('https:') ?? false),
    logLevel: variables.LOG_LEVEL,
    metrics: variables.METRICS_PORT === null ? null : { port: variables.METRICS_PORT, host: variables.METRICS_HOST },
    tracing:
      variables.OTEL_EXPORTER_OTLP_ENDPOINT === null
        ? null
        : {
            endpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
            serviceName: variables.OTEL_SERVICE_NAME,
            sampler: variables.OTEL_TRACES_SAMPLER,
            ratio: variables.OTEL_TRACES_SAMPLER_ARG,
          },
    /** Milliseconds. */
    drainTime: variables.DRAIN_SECONDS * 1000,
    production,
  };
}

/**
 * Reads only the settings of a command-line task, so that a fault in the server's settings does not stop an import.
 *
 * @throws Error that lists all faults
 */
export function readCommandSettings(env: Environment = process.env): CommandSettings {
  const variables = read(databaseVariables, env, databaseFaults);
  return { database: databaseSettings(variables), production: variables.NODE_ENV === 'production' };
}

/** The folder of the secrets file, and which secrets are set in the environment instead; for `npm run keys`. */
export function readKeySettings(env: Environment = process.env): { dataDir: string; given: SecretKind[] } {
  const given = secretKinds.filter((kind) => env[secretVariables[kind]]?.trim());
  return { dataDir: path.resolve(env.DATA_DIR?.trim() || '.data'), given };
}

/** Where links of a command lead: `PUBLIC_URL`, or the service's port on this machine. */
export function readLinkUrl(env: Environment = process.env): string {
  const { PUBLIC_URL: given, PORT: port } = read(
    { PUBLIC_URL: reading(publicUrl).nullable().default(null), PORT: reading(strictInteger(0, 65_535)).default(3000) },
    env,
    () => [],
  );
  return given ?? `http://localhost:${port}`;
}

/**
 * The folder that the command was run in: npm runs scripts in the project's folder and passes the caller's in
 * `INIT_CWD`.
 */
export function workingDirectory(env: Environment = process.env): string {
  return env.INIT_CWD || process.cwd();
}

function databaseSettings(variables: {
  DATABASE_URL: string | null;
  DATABASE_DIRECT_URL: string | null;
  DATABASE_POOLER: (typeof poolers)[number] | null;
  DATABASE_REPLICA_URLS: string[];
  DATA_DIR: string;
}): DatabaseSettings {
  return {
    url: variables.DATABASE_URL,
    directUrl: variables.DATABASE_DIRECT_URL,
    pooler: variables.DATABASE_POOLER,
    replicaUrls: variables.DATABASE_REPLICA_URLS,
    dataDir: path.resolve(variables.DATA_DIR),
  };
}

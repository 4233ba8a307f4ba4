import path from 'node:path';
import { AllowedTargets } from '#endpoint-client';
import {
  commaSeparated,
  type Environment,
  oneOf,
  onOff,
  origin,
  publicUrl,
  type Read,
  readVariables,
  share,
  strictInteger,
} from '#environment-settings';
import { samplerNames } from '#otlp-traces';
import { parsePrivateKeys } from '#rotating-secrets';
import { readBounds } from './bounds.ts';
import { sender, smtpServer } from './mail.ts';
import { secretFault } from './secrets.ts';
import { type SecretKind, secretKinds, secretVariables } from './secrets-file.ts';
import { postgresUrl, securePublicUrl, trustedProxies } from './values.ts';

export type DatabaseSettings = ReturnType<typeof readDatabase>;

/** Every setting of the service (operate/configure.md). */
export type Settings = ReturnType<typeof readSettings>;

type Report = (name: string, fault: string) => void;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const port = strictInteger(0, 65_535);
const text = (value: string) => value;

/** @throws Error that lists all faults but quotes no value, which may be a secret */
export function readSettings(env: Environment = process.env) {
  return readVariables(env, settingsOf);
}

export function settingsOf(read: Read, report: Report) {
  const production = readProduction(read);
  /** Reads what production needs. */
  const readNeeded: Read = (name, parse, otherwise) => {
    if (production && !read(name, () => true, false)) report(name, 'is required if NODE_ENV is production');
    return read(name, parse, otherwise);
  };
  const secrets = (value: string) => {
    const entries = commaSeparated(value);
    for (const [index, entry] of entries.entries()) {
      const fault = production ? secretFault(entry) : null;
      if (fault) throw new Error(entries.length > 1 ? `entry ${index + 1} ${fault}` : fault);
    }
    return entries;
  };
  const database = readDatabase(read, report);
  const metricsPort = read('METRICS_PORT', port, null);
  const metricsHost = read('METRICS_HOST', text, '127.0.0.1');
  const tracing = {
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', publicUrl, null),
    serviceName: read('OTEL_SERVICE_NAME', text, 'events-gateway'),
    sampler: read('OTEL_TRACES_SAMPLER', oneOf(samplerNames), 'parentbased_traceidratio' as const),
    // a trace of every request costs a tenth of the throughput (docs/operate/observe.md#cost)
    ratio: read('OTEL_TRACES_SAMPLER_ARG', share, 0.1),
  };
  const http = {
    /** 0 picks a free port. */
    port: read('PORT', port, 3000),
    host: read('HOST', text, '127.0.0.1'),
    /** Where clients reach the service, without a trailing slash; null if it follows from host and port. */
    publicUrl: readNeeded('PUBLIC_URL', production ? securePublicUrl : publicUrl, null),
    /** Express's `trust proxy`: all, none, a number of hops, or addresses and networks. */
    trustProxy: read('TRUST_PROXY', trustedProxies, false),
    corsOrigins: read('CORS_ORIGINS', (value) => commaSeparated(value).map(origin), []),
    graphiql: read('GRAPHIQL', onOff, !production),
  };
  const graphql = {
    trustedDocuments: read('TRUSTED_DOCUMENTS', path.resolve, null),
    trustedOnly: read('TRUSTED_DOCUMENTS_ONLY', onOff, false),
  };
  if (graphql.trustedOnly && graphql.trustedDocuments === null) {
    report('TRUSTED_DOCUMENTS_ONLY', 'needs TRUSTED_DOCUMENTS, the documents to serve');
  }
  return {
    http,
    graphql,
    database,
    auth: {
      /** Those from the environment; `completeSecrets` adds the others. */
      secrets: {
        cookieSecrets: readNeeded('COOKIE_SECRET', secrets, undefined),
        cursorSecrets: readNeeded('CURSOR_SECRET', secrets, undefined),
        encryptionKeys: readNeeded('ENCRYPTION_KEY', secrets, undefined),
        privateKeys: readNeeded('JWT_PRIVATE_KEY', parsePrivateKeys, undefined),
      },
      refreshGraceSeconds: read('REFRESH_GRACE_SECONDS', strictInteger(0, 60), 10),
      sessionMaxDays: read('SESSION_MAX_DAYS', strictInteger(1, 3650), 90),
    },
    /** Without a server, mails are stored as files; the default sender is `no-reply` at the host of the public URL. */
    mail: {
      smtp: read('SMTP_URL', smtpServer, null),
      from: read('MAIL_FROM', sender, null),
      dir: path.join(database.dataDir, 'mail'),
    },
    /** Non-public targets of webhooks. */
    webhookAllow: read('WEBHOOK_ALLOW', (value) => new AllowedTargets(commaSeparated(value)), new AllowedTargets()),
    rateLimit: read('RATE_LIMIT', onOff, true),
    bounds: readBounds(read),
    /** Whether the service is meant to be reached from other machines. */
    exposed: production || (http.publicUrl?.startsWith('https:') ?? false),
    logLevel: read('LOG_LEVEL', oneOf(logLevels), 'info' as const),
    metrics: metricsPort === null ? null : { port: metricsPort, host: metricsHost },
    tracing: tracing.endpoint === null ? null : { ...tracing, endpoint: tracing.endpoint },
    /** Milliseconds. */
    drainTime: read('DRAIN_SECONDS', strictInteger(0, 600), production ? 5 : 0) * 1000,
    production,
  };
}

/** Only the settings of a command-line task, which needs no secrets. @throws Error that lists all faults */
export function readCommandSettings(env: Environment = process.env) {
  return readVariables(env, (read, report) => ({
    database: readDatabase(read, report),
    production: readProduction(read),
  }));
}

/** The folder of the secrets file, and which secrets are set in the environment instead; for `npm run keys`. */
export function readKeySettings(env: Environment = process.env): { dataDir: string; given: SecretKind[] } {
  const given = secretKinds.filter((kind) => env[secretVariables[kind]]?.trim());
  return { dataDir: readVariables(env, readDataDir), given };
}

/** For the links of a command: `PUBLIC_URL`, or the service's port on this machine. */
export function readLinkUrl(env: Environment = process.env): string {
  return readVariables(
    env,
    (read) => read('PUBLIC_URL', publicUrl, null) ?? `http://localhost:${read('PORT', port, 3000)}`,
  );
}

/** npm runs scripts in the project's folder and passes the caller's in `INIT_CWD`. */
export function workingDirectory(env: Environment = process.env): string {
  return env.INIT_CWD || process.cwd();
}

/** For the process that replaces this one: unset variables get these defaults. */
export function environmentWith(defaults: Environment): Environment {
  return { ...defaults, ...process.env };
}

function readProduction(read: Read): boolean {
  return read('NODE_ENV', oneOf(['development', 'production', 'test']), 'development') === 'production';
}

function readDataDir(read: Read): string {
  return path.resolve(read('DATA_DIR', text, '.data'));
}

function readDatabase(read: Read, report: Report) {
  const isSet = (name: string) => read(name, () => true, false);
  const needing = {
    DATABASE_POOLER: 'the connection through the pooler',
    DATABASE_DIRECT_URL: 'the connection to the same database through a pooler',
    DATABASE_REPLICA_URLS: 'the primary of the replicas',
  };
  if (!isSet('DATABASE_URL')) {
    for (const [name, meaning] of Object.entries(needing))
      if (isSet(name)) report(name, `needs DATABASE_URL, ${meaning}`);
  } else if (isSet('DATABASE_POOLER') && !isSet('DATABASE_DIRECT_URL')) {
    report('DATABASE_POOLER', 'needs DATABASE_DIRECT_URL, the connection to the same database without the pooler');
  }
  return {
    /** The connection URL, or null for the embedded PostgreSQL under `dataDir`. */
    url: read('DATABASE_URL', postgresUrl, null),
    /** The same database without a connection pooler, for migrations, `LISTEN` and commands; null if `url` is direct. */
    directUrl: read('DATABASE_DIRECT_URL', postgresUrl, null),
    /** A pooler in transaction mode, which keeps named statements or does not; null for none. */
    pooler: read('DATABASE_POOLER', oneOf(['transaction', 'transaction-unnamed']), null),
    replicaUrls: read('DATABASE_REPLICA_URLS', (value) => commaSeparated(value).map(postgresUrl), []),
    /** Absolute path of the service's files. */
    dataDir: readDataDir(read),
  };
}

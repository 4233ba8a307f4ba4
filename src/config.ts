import path from 'node:path';
import { z } from 'zod';
import {
  type Environment,
  list,
  onOff,
  origin,
  postgresUrl,
  publicUrl,
  reading,
  smtpUrl,
  strictInteger,
  trustedProxies,
} from './config-values.ts';
import { parsePrivateKeys } from './private-key.ts';
import { type GivenSecrets, secretFault } from './secrets.ts';
import type { SecretKind } from './secrets-file.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const environments = ['development', 'production', 'test'] as const;

/** Where the rows are. */
export interface DatabaseSettings {
  /** The connection URL, or null for the embedded PostgreSQL under `dataDir`. */
  url: string | null;
  /** Read replicas of `url`. */
  replicaUrls: string[];
  /** Absolute path of what the service keeps on disk. */
  dataDir: string;
}

/** The settings of a command line task, which serves nobody and so needs no secrets. */
export interface CommandSettings {
  database: DatabaseSettings;
  production: boolean;
}

/** Every setting of the service, checked and renamed (decisions §5). */
export interface Settings extends CommandSettings {
  http: {
    /** 0 picks a free port. */
    port: number;
    host: string;
    /** How clients reach the service, without a slash at the end; null where that is host and port. */
    publicUrl: string | null;
    /** Express's `trust proxy`: all, none, a number of hops, or addresses and networks. */
    trustProxy: boolean | number | string[];
    /** Origins that browsers may call from. */
    corsOrigins: string[];
    graphiql: boolean;
  };
  graphql: {
    /** Absolute path of the manifest of trusted documents; null where there is none. */
    trustedDocuments: string | null;
    /** Whether no other documents are served. */
    trustedOnly: boolean;
  };
  auth: {
    /** What the environment gives; what it leaves out is made by `completeSecrets`. */
    secrets: GivenSecrets;
    /** For how long the parent of a refresh token is still accepted, in seconds. */
    refreshGraceSeconds: number;
    /** The absolute life of a session, in days. */
    sessionMaxDays: number;
  };
  mail: {
    /** Null keeps mails as files under `dir`. */
    smtpUrl: string | null;
    dir: string;
  };
  rateLimit: boolean;
  logLevel: (typeof logLevels)[number];
  test: boolean;
}

const databaseVariables = {
  DATABASE_URL: reading(postgresUrl).nullable().default(null),
  DATABASE_REPLICA_URLS: reading((value) => list(value).map(postgresUrl)).default([]),
  DATA_DIR: z.string().default('.data'),
  NODE_ENV: z.enum(environments, `must be one of ${environments.join(', ')}`).default('development'),
};

function serverVariables(production: boolean) {
  const secrets = reading((value) => {
    const entries = list(value);
    for (const [index, entry] of entries.entries()) {
      const fault = production ? secretFault(entry) : null;
      if (fault) throw new Error(entries.length > 1 ? `entry ${index + 1} ${fault}` : fault);
    }
    return entries;
  });
  return {
    ...databaseVariables,
    PORT: reading(strictInteger(0, 65_535)).default(3000),
    HOST: z.string().default('127.0.0.1'),
    PUBLIC_URL: reading(publicUrl).nullable().default(null),
    TRUST_PROXY: reading(trustedProxies).default(false),
    CORS_ORIGINS: reading((value) => list(value).map(origin)).default([]),
    GRAPHIQL: reading(onOff).default(!production),
    TRUSTED_DOCUMENTS: z.string().nullable().default(null),
    TRUSTED_DOCUMENTS_ONLY: reading(onOff).default(false),
    COOKIE_SECRET: secrets.optional(),
    CURSOR_SECRET: secrets.optional(),
    JWT_PRIVATE_KEY: reading(parsePrivateKeys).optional(),
    REFRESH_GRACE_SECONDS: reading(strictInteger(0, 60)).default(10),
    SESSION_MAX_DAYS: reading(strictInteger(1, 3650)).default(90),
    SMTP_URL: reading(smtpUrl).nullable().default(null),
    RATE_LIMIT: reading(onOff).default(true),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  };
}

/**
 * Reads every setting of the service.
 *
 * @throws Error that names all faults at once and repeats no value, since a value may be a secret
 */
export function readSettings(env: Environment = process.env): Settings {
  const production = env.NODE_ENV === 'production';
  const variables = read(serverVariables(production), env, (present) => [
    ...replicaFaults(present),
    ...manifestFaults(present),
    ...(production ? absentSecretFaults(present) : []),
  ]);
  const database = databaseSettings(variables);
  return {
    http: {
      port: variables.PORT,
      host: variables.HOST,
      publicUrl: variables.PUBLIC_URL,
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
      secrets: {
        cookieSecrets: variables.COOKIE_SECRET,
        cursorSecrets: variables.CURSOR_SECRET,
        privateKeys: variables.JWT_PRIVATE_KEY,
      },
      refreshGraceSeconds: variables.REFRESH_GRACE_SECONDS,
      sessionMaxDays: variables.SESSION_MAX_DAYS,
    },
    mail: { smtpUrl: variables.SMTP_URL, dir: path.join(database.dataDir, 'mail') },
    rateLimit: variables.RATE_LIMIT,
    logLevel: variables.LOG_LEVEL,
    production,
    test: variables.NODE_ENV === 'test',
  };
}

/**
 * Reads only what a command line task needs, so that a fault of the server's settings does not stop an import.
 *
 * @throws Error that names all faults at once
 */
export function readCommandSettings(env: Environment = process.env): CommandSettings {
  const variables = read(databaseVariables, env, replicaFaults);
  return { database: databaseSettings(variables), production: variables.NODE_ENV === 'production' };
}

/** Where the kept secrets are, and which the environment gives instead; for the command that rotates them. */
export function readKeySettings(env: Environment = process.env): { dataDir: string; given: SecretKind[] } {
  const names: Record<string, SecretKind> = {
    COOKIE_SECRET: 'cookie_secrets',
    CURSOR_SECRET: 'cursor_secrets',
    JWT_PRIVATE_KEY: 'jwt_private_keys',
  };
  const given = Object.entries(names).flatMap(([name, kind]) => (env[name]?.trim() ? [kind] : []));
  return { dataDir: path.resolve(env.DATA_DIR?.trim() || '.data'), given };
}

/** The folder that the person typed the command in: npm runs scripts in the project's and keeps theirs here. */
export function workingDirectory(env: Environment = process.env): string {
  return env.INIT_CWD || process.cwd();
}

function databaseSettings(variables: {
  DATABASE_URL: string | null;
  DATABASE_REPLICA_URLS: string[];
  DATA_DIR: string;
}): DatabaseSettings {
  return {
    url: variables.DATABASE_URL,
    replicaUrls: variables.DATABASE_REPLICA_URLS,
    dataDir: path.resolve(variables.DATA_DIR),
  };
}

function replicaFaults(present: Environment): string[] {
  return present.DATABASE_REPLICA_URLS !== undefined && present.DATABASE_URL === undefined
    ? ['DATABASE_REPLICA_URLS: needs DATABASE_URL, the primary of the replicas']
    : [];
}

function manifestFaults(present: Environment): string[] {
  return present.TRUSTED_DOCUMENTS_ONLY === 'on' && present.TRUSTED_DOCUMENTS === undefined
    ? ['TRUSTED_DOCUMENTS_ONLY: needs TRUSTED_DOCUMENTS, the documents to serve']
    : [];
}

function absentSecretFaults(present: Environment): string[] {
  return ['COOKIE_SECRET', 'CURSOR_SECRET', 'JWT_PRIVATE_KEY']
    .filter((name) => present[name] === undefined)
    .map((name) => `${name}: is required where NODE_ENV is production`);
}

function read<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Environment,
  furtherFaults: (present: Environment) => string[],
): z.output<z.ZodObject<Shape>> {
  // an empty variable is how compose files and CI systems write an absent one
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const result = z.object(shape).safeParse(present);
  const faults = (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  faults.push(...furtherFaults(present));
  if (result.data && faults.length === 0) return result.data;
  throw new Error(`The settings are not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

import { z } from 'zod';
import { AllowedTargets } from '../kernel/network/allowed-targets.ts';
import { samplerNames } from '../kernel/tracing.ts';
import { boundVariables } from './bounds.ts';
import { sender, smtpServer } from './mail.ts';
import { parsePrivateKeys } from './private-key.ts';
import { secretFault } from './secrets.ts';
import {
  commaSeparated,
  type Environment,
  onOff,
  origin,
  postgresUrl,
  publicUrl,
  reading,
  securePublicUrl,
  share,
  strictInteger,
  trustedProxies,
} from './values.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** Poolers in transaction mode: those that keep named statements, and those that do not. */
export const poolers = ['transaction', 'transaction-unnamed'] as const;
const environments = ['development', 'production', 'test'] as const;

/** What commands read, too. */
export const databaseVariables = {
  DATABASE_URL: reading(postgresUrl).nullable().default(null),
  DATABASE_DIRECT_URL: reading(postgresUrl).nullable().default(null),
  DATABASE_POOLER: z
    .enum(poolers, `must be one of ${poolers.join(', ')}`)
    .nullable()
    .default(null),
  DATABASE_REPLICA_URLS: reading((value) => commaSeparated(value).map(postgresUrl)).default([]),
  DATA_DIR: z.string().default('.data'),
  NODE_ENV: z.enum(environments, `must be one of ${environments.join(', ')}`).default('development'),
};

/** Everything that the service reads. */
export function serverVariables(production: boolean) {
  const secrets = reading((value) => {
    const entries = commaSeparated(value);
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
    PUBLIC_URL: reading(production ? securePublicUrl : publicUrl)
      .nullable()
      .default(null),
    TRUST_PROXY: reading(trustedProxies).default(false),
    CORS_ORIGINS: reading((value) => commaSeparated(value).map(origin)).default([]),
    GRAPHIQL: reading(onOff).default(!production),
    TRUSTED_DOCUMENTS: z.string().nullable().default(null),
    TRUSTED_DOCUMENTS_ONLY: reading(onOff).default(false),
    COOKIE_SECRET: secrets.optional(),
    CURSOR_SECRET: secrets.optional(),
    ENCRYPTION_KEY: secrets.optional(),
    JWT_PRIVATE_KEY: reading(parsePrivateKeys).optional(),
    REFRESH_GRACE_SECONDS: reading(strictInteger(0, 60)).default(10),
    SESSION_MAX_DAYS: reading(strictInteger(1, 3650)).default(90),
    SMTP_URL: reading(smtpServer).nullable().default(null),
    MAIL_FROM: reading(sender).nullable().default(null),
    WEBHOOK_ALLOW: reading((value) => new AllowedTargets(commaSeparated(value))).default(new AllowedTargets()),
    RATE_LIMIT: reading(onOff).default(true),
    ...boundVariables,
    METRICS_PORT: reading(strictInteger(0, 65_535)).nullable().default(null),
    METRICS_HOST: z.string().default('127.0.0.1'),
    OTEL_EXPORTER_OTLP_ENDPOINT: reading(publicUrl).nullable().default(null),
    OTEL_SERVICE_NAME: z.string().default('events-gateway'),
    OTEL_TRACES_SAMPLER: z
      .enum(samplerNames, `must be one of ${samplerNames.join(', ')}`)
      .default('parentbased_traceidratio'),
    // a trace of every request costs a tenth of the throughput (docs/operations/metrics.md#what-they-cost)
    OTEL_TRACES_SAMPLER_ARG: reading(share).default(0.1),
    DRAIN_SECONDS: reading(strictInteger(0, 600)).default(production ? 5 : 0),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  };
}

export function databaseFaults(present: Environment): string[] {
  const { DATABASE_URL: url, DATABASE_POOLER: pooler, DATABASE_DIRECT_URL: direct } = present;
  if (url !== undefined && pooler !== undefined && direct === undefined) {
    return ['DATABASE_POOLER: needs DATABASE_DIRECT_URL, the connection to the same database without the pooler'];
  }
  if (url !== undefined) return [];
  const meanings = {
    DATABASE_POOLER: 'the connection through the pooler',
    DATABASE_DIRECT_URL: 'the connection to the same database through a pooler',
    DATABASE_REPLICA_URLS: 'the primary of the replicas',
  };
  return Object.entries(meanings)
    .filter(([name]) => present[name] !== undefined)
    .map(([name, meaning]) => `${name}: needs DATABASE_URL, ${meaning}`);
}

export function manifestFaults(present: Environment): string[] {
  return present.TRUSTED_DOCUMENTS_ONLY === 'on' && present.TRUSTED_DOCUMENTS === undefined
    ? ['TRUSTED_DOCUMENTS_ONLY: needs TRUSTED_DOCUMENTS, the documents to serve']
    : [];
}

export function missingFaults(present: Environment): string[] {
  return ['PUBLIC_URL', 'COOKIE_SECRET', 'CURSOR_SECRET', 'ENCRYPTION_KEY', 'JWT_PRIVATE_KEY']
    .filter((name) => present[name] === undefined)
    .map((name) => `${name}: is required if NODE_ENV is production`);
}

/**
 * Reads variables of the environment.
 *
 * @throws Error that lists all faults
 */
export function read<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Environment,
  furtherFaults: (present: Environment) => string[],
): z.output<z.ZodObject<Shape>> {
  // Compose files and CI systems pass an absent variable as an empty one
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const result = z.object(shape).safeParse(present);
  const faults = (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  faults.push(...furtherFaults(present));
  if (result.data && faults.length === 0) return result.data;
  throw new Error(`The settings are not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

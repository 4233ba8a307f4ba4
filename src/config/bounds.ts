import type { z } from 'zod';
import { reading, strictInteger } from './values.ts';

const mebibyte = 1024 * 1024;

const seconds = (fallback: number, high: number) => reading(strictInteger(1, high)).default(fallback);
const mebibytes = (fallback: number, low: number, high: number) => reading(strictInteger(low, high)).default(fallback);
const days = (fallback: number) => reading(strictInteger(1, 36_500)).default(fallback);

export const boundVariables = {
  DATABASE_POOL_SIZE: reading(strictInteger(2, 1000)).nullable().default(null),
  USER_CONNECTION_PERCENT: reading(strictInteger(1, 100)).default(25),
  ORGANIZATION_CONNECTION_PERCENT: reading(strictInteger(1, 100)).default(50),
  READ_TIMEOUT_SECONDS: seconds(5, 600),
  WRITE_TIMEOUT_SECONDS: seconds(10, 600),
  LOCK_TIMEOUT_SECONDS: seconds(3, 600),
  REPLICA_MAX_LAG_SECONDS: seconds(10, 600),
  HEADERS_TIMEOUT_SECONDS: seconds(10, 600),
  REQUEST_TIMEOUT_SECONDS: seconds(30, 3600),
  KEEP_ALIVE_SECONDS: seconds(5, 600),
  MAX_CONNECTIONS: reading(strictInteger(1, 1_000_000)).default(4000),
  MAX_CONNECTIONS_PER_NETWORK: reading(strictInteger(1, 1_000_000)).default(1000),
  CLIENT_BUFFER_MIB: reading(strictInteger(1, 1_000_000)).default(64),
  DOCUMENT_CACHE_MIB: reading(strictInteger(1, 1024)).default(32),
  BYTES_PER_MINUTE_MIB: mebibytes(20, 2, 1_000_000),
  BYTES_PER_DAY_MIB: mebibytes(500, 2, 1_000_000),
  LARGE_VALUES_MIB: mebibytes(64, 32, 1_000_000),
  MAILS_PER_HOUR: reading(strictInteger(1, 1_000_000)).default(1000),
  GUEST_MAILS_PER_HOUR: reading(strictInteger(1, 1_000_000)).default(100),
  STREAMS_PER_USER: reading(strictInteger(1, 1_000_000)).default(5),
  STREAMS_PER_ORGANIZATION: reading(strictInteger(1, 1_000_000)).default(100),
  STREAMS: reading(strictInteger(1, 1_000_000)).default(1000),
  AUDIT_RETENTION_DAYS: days(365),
  CHANGES_RETENTION_DAYS: days(30),
  SESSION_RETENTION_DAYS: days(30),
  INVITATION_RETENTION_DAYS: days(30),
  UNPROVEN_ACCOUNT_DAYS: days(30),
  MAIL_RETENTION_DAYS: days(30),
};

type BoundValues = {
  [Name in keyof typeof boundVariables]: z.output<(typeof boundVariables)[Name]>;
};

/** Limits on what one caller may cost the others, and how long rows are kept: in milliseconds, bytes and days (interface/bounds.md). */
export type Bounds = ReturnType<typeof boundsOf>;

export function boundsOf(variables: BoundValues) {
  return {
    database: {
      poolSize: variables.DATABASE_POOL_SIZE,
      userShare: variables.USER_CONNECTION_PERCENT,
      organizationShare: variables.ORGANIZATION_CONNECTION_PERCENT,
      readTimeout: variables.READ_TIMEOUT_SECONDS * 1000,
      writeTimeout: variables.WRITE_TIMEOUT_SECONDS * 1000,
      lockTimeout: variables.LOCK_TIMEOUT_SECONDS * 1000,
      /** Seconds. */
      replicaMaxLag: variables.REPLICA_MAX_LAG_SECONDS,
    },
    http: {
      headersTimeout: variables.HEADERS_TIMEOUT_SECONDS * 1000,
      requestTimeout: variables.REQUEST_TIMEOUT_SECONDS * 1000,
      keepAliveTimeout: variables.KEEP_ALIVE_SECONDS * 1000,
      maxConnections: variables.MAX_CONNECTIONS,
      maxConnectionsPerNetwork: variables.MAX_CONNECTIONS_PER_NETWORK,
      bufferBytes: variables.CLIENT_BUFFER_MIB * mebibyte,
    },
    keptBytes: {
      perMinute: variables.BYTES_PER_MINUTE_MIB * mebibyte,
      perDay: variables.BYTES_PER_DAY_MIB * mebibyte,
    },
    largeValueBytes: variables.LARGE_VALUES_MIB * mebibyte,
    mailsPerHour: { subscribers: variables.MAILS_PER_HOUR, guests: variables.GUEST_MAILS_PER_HOUR },
    streams: {
      perUser: variables.STREAMS_PER_USER,
      perOrganization: variables.STREAMS_PER_ORGANIZATION,
      total: variables.STREAMS,
    },
    documentCacheBytes: variables.DOCUMENT_CACHE_MIB * mebibyte,
    retentionDays: {
      audit: variables.AUDIT_RETENTION_DAYS,
      changes: variables.CHANGES_RETENTION_DAYS,
      endedSessions: variables.SESSION_RETENTION_DAYS,
      expiredInvitations: variables.INVITATION_RETENTION_DAYS,
      unprovenAccounts: variables.UNPROVEN_ACCOUNT_DAYS,
      mails: variables.MAIL_RETENTION_DAYS,
    },
  };
}

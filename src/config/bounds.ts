import { type Read, strictInteger } from '#environment-settings';

/** Limits and retention times, in milliseconds, bytes and days (reference/limits.md). */
export type Bounds = ReturnType<typeof readBounds>;

export function readBounds(read: Read) {
  const integer = (name: string, otherwise: number, low = 1, high = 1_000_000) =>
    read(name, strictInteger(low, high), otherwise);
  const milliseconds = (name: string, otherwise: number, high = 600) => integer(name, otherwise, 1, high) * 1000;
  const bytes = (name: string, mebibytes: number, low = 1, high = 1_000_000) =>
    integer(name, mebibytes, low, high) * 1024 * 1024;
  const days = (name: string, otherwise: number) => integer(name, otherwise, 1, 36_500);
  return {
    database: {
      poolSize: read('DATABASE_POOL_SIZE', strictInteger(2, 1000), null),
      userShare: integer('USER_CONNECTION_PERCENT', 25, 1, 100),
      organizationShare: integer('ORGANIZATION_CONNECTION_PERCENT', 50, 1, 100),
      readTimeout: milliseconds('READ_TIMEOUT_SECONDS', 5),
      writeTimeout: milliseconds('WRITE_TIMEOUT_SECONDS', 10),
      lockTimeout: milliseconds('LOCK_TIMEOUT_SECONDS', 3),
      /** Seconds. */
      replicaMaxLag: integer('REPLICA_MAX_LAG_SECONDS', 10, 1, 600),
    },
    http: {
      headersTimeout: milliseconds('HEADERS_TIMEOUT_SECONDS', 10),
      requestTimeout: milliseconds('REQUEST_TIMEOUT_SECONDS', 30, 3600),
      keepAliveTimeout: milliseconds('KEEP_ALIVE_SECONDS', 5),
      maxConnections: integer('MAX_CONNECTIONS', 4000),
      maxConnectionsPerNetwork: integer('MAX_CONNECTIONS_PER_NETWORK', 1000),
      bufferBytes: bytes('CLIENT_BUFFER_MIB', 64),
    },
    keptBytes: {
      perMinute: bytes('BYTES_PER_MINUTE_MIB', 20, 2),
      perDay: bytes('BYTES_PER_DAY_MIB', 500, 2),
    },
    largeValueBytes: bytes('LARGE_VALUES_MIB', 64, 32),
    mailsPerHour: { subscribers: integer('MAILS_PER_HOUR', 1000), guests: integer('GUEST_MAILS_PER_HOUR', 100) },
    streams: {
      perUser: integer('STREAMS_PER_USER', 5),
      perOrganization: integer('STREAMS_PER_ORGANIZATION', 100),
      total: integer('STREAMS', 1000),
    },
    documentCacheBytes: bytes('DOCUMENT_CACHE_MIB', 32, 1, 1024),
    retentionDays: {
      audit: days('AUDIT_RETENTION_DAYS', 365),
      changes: days('CHANGES_RETENTION_DAYS', 30),
      endedSessions: days('SESSION_RETENTION_DAYS', 30),
      expiredInvitations: days('INVITATION_RETENTION_DAYS', 30),
      unprovenAccounts: days('UNPROVEN_ACCOUNT_DAYS', 30),
      mails: days('MAIL_RETENTION_DAYS', 30),
    },
  };
}

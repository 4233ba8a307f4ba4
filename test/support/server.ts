import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { readSettings } from '../../src/config.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import type { Services } from '../../src/domain/services.ts';
import { readManifest } from '../../src/schema/persisted.ts';
import type { Secrets } from '../../src/secrets.ts';
import { startService } from '../../src/service.ts';
import { createTestDatabase } from './database.ts';
import { startLanesProxy } from './lanes-proxy.ts';

/** Secrets of no use to anybody else, made anew for each call. */
export function testSecrets(): Secrets {
  const secret = () => randomBytes(32).toString('base64url');
  return {
    cookieSecrets: [secret()],
    cursorSecrets: [secret()],
    privateKeys: [generateKeyPairSync('ed25519').privateKey],
  };
}

export interface TestServer {
  /** Where it is reached, without a slash at the end: where lanes are compared, through what compares them. */
  url: string;
  /** Where it listens. */
  directUrl: string;
  orm: Orm;
  services: Services;
  secrets: Secrets;
  /** Of the database, for another server on it. */
  databaseUrl: string;
  /** What the service logged, a JSON line each. */
  logLines: string[];
  /** Where it keeps its mails. */
  mailDir: string;
  close(): Promise<void>;
}

export interface TestServerOptions {
  /** Environment variables, in addition to those of a test. */
  env?: Record<string, string>;
  secrets?: Secrets;
  /** A database to share with another test server; without one it gets its own. */
  databaseUrl?: string;
}

/** Serves the whole service on a free port and a real database. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const secrets = options.secrets ?? testSecrets();
  const database = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const databaseUrl = database?.url ?? (options.databaseUrl as string);
  const orm = database?.orm ?? (await createOrm({ url: databaseUrl }));
  const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-server-'));
  const settings = readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    // a name that does not depend on the port: two servers then accept each other's tokens, as replicas do
    PUBLIC_URL: 'http://events.test',
    // the tests of the limits turn them on
    RATE_LIMIT: 'off',
    DATA_DIR: dataDir,
    ...options.env,
  });
  const logLines: string[] = [];
  const log = pino({ level: settings.logLevel }, { write: (line: string) => void logLines.push(line) });
  const service = await startService(orm, settings, secrets, log);
  const { trustedDocuments } = settings.graphql;
  const proxy =
    process.env.GRAPHQL_LANES === 'compare'
      ? await startLanesProxy(service.url, trustedDocuments ? await readManifest(trustedDocuments) : undefined)
      : null;
  return {
    url: proxy?.url ?? service.url,
    directUrl: service.url,
    orm,
    services: service.services,
    secrets,
    databaseUrl,
    logLines,
    mailDir: settings.mail.dir,
    close: async () => {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
      if (database) await database.drop();
      else await orm.close(true);
      await proxy?.close();
    },
  };
}

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import pino from 'pino';
import { readSettings } from '../../src/config.ts';
import type { Orm } from '../../src/db/orm.ts';
import type { Services } from '../../src/domain/services.ts';
import type { Secrets } from '../../src/secrets.ts';
import { startService } from '../../src/service.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestServer {
  url: string;
  orm: Orm;
  services: Services;
  secrets: Secrets;
  /** What the service logged, a JSON line each. */
  logLines: string[];
  /** Stops the service; drops the database where it was made for this server. */
  close(): Promise<void>;
}

export interface TestServerOptions {
  /** Environment variables, as an operator would set them. */
  env?: Record<string, string>;
  secrets?: Partial<Secrets>;
  /** A database that several servers share; the caller drops it. */
  database?: TestDatabase;
}

/** Fresh secrets, as a first start makes them. */
export function createSecrets(given: Partial<Secrets> = {}): Secrets {
  return {
    cookieSecrets: [randomBytes(32).toString('base64url')],
    cursorSecrets: [randomBytes(32).toString('base64url')],
    privateKeys: [generateKeyPairSync('ed25519').privateKey],
    ...given,
  };
}

/** The real service on a real database of its own and a free port. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase());
  const settings = readSettings({ NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'info', ...options.env });
  const secrets = createSecrets(options.secrets);
  const logLines: string[] = [];
  const log = pino({ level: settings.logLevel }, { write: (line) => void logLines.push(line) });
  const service = await startService(database.orm, settings, secrets, log);
  return {
    url: service.url,
    orm: database.orm,
    services: service.services,
    secrets,
    logLines,
    close: async () => {
      await service.stop();
      if (!options.database) await database.drop();
    },
  };
}

import type { DatabaseSettings } from '../config/settings.ts';
import { startEmbedded } from './embedded.ts';
import { connectFailure } from './errors.ts';
import { isMigrated, type MigrateOptions, migrate } from './migrate.ts';

/** A database that is reachable and up to date. */
export interface OpenDatabase {
  url: string;
  /** Without the pooler, for long statements and session state. */
  directUrl: string;
  /** The current `url`: the embedded server may come back on another port. */
  locate(): string;
  /** For administration; null if it is not known. */
  superuserUrl: string | null;
  replicaUrls: string[];
  embedded: boolean;
  /** Releases the embedded server, which stops if no other process uses it. Close the ORM first. */
  close(): Promise<void>;
}

/** Migrates the database at `DATABASE_URL` or the embedded one. @throws Error with the reason */
export async function openDatabase(
  settings: DatabaseSettings,
  report?: MigrateOptions['report'],
  warn = report,
): Promise<OpenDatabase> {
  if (settings.url !== null) {
    const { url, directUrl, replicaUrls, pooler } = settings;
    await naming(directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL', migrate(directUrl ?? url, { report }));
    if (directUrl !== null && !(await naming('DATABASE_URL', isMigrated(url, pooler)))) {
      throw new Error('DATABASE_DIRECT_URL and DATABASE_URL are different databases.');
    }
    return {
      url,
      directUrl: directUrl ?? url,
      locate: () => url,
      superuserUrl: null,
      replicaUrls,
      embedded: false,
      close: async () => undefined,
    };
  }
  const server = await startEmbedded(settings.dataDir, { report, warn });
  try {
    await migrate(server.url, { report });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: server.url,
    directUrl: server.url,
    locate: () => server.url,
    superuserUrl: server.superuserUrl,
    replicaUrls: [],
    embedded: true,
    close: () => server.stop(),
  };
}

/** Makes a failure to connect name its setting. */
async function naming<T>(setting: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = connectFailure(error);
    if (reason === null) throw error;
    throw new Error(`Cannot use the database at ${setting}: ${reason}`, { cause: error });
  }
}

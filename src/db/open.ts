import type { DatabaseSettings } from '../config.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

/** A database that is reachable and up to date. */
export interface OpenDatabase {
  url: string;
  replicaUrls: string[];
  /** Whether it is the PostgreSQL that comes with the service. */
  embedded: boolean;
  /** Lets go of the embedded server, which stops where nobody else uses it. Close the ORM first. */
  close(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL, or takes the one of `DATABASE_URL`, and migrates it.
 *
 * @throws Error that says what is in the way
 */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  if (settings.url !== null) {
    await migrate(settings.url);
    return { url: settings.url, replicaUrls: settings.replicaUrls, embedded: false, close: async () => undefined };
  }
  const server = await startEmbedded({ dataDir: settings.dataDir });
  try {
    await migrate(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: server.url, replicaUrls: [], embedded: true, close: () => server.stop() };
}

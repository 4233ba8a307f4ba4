import path from 'node:path';
import * as server from '#embedded-postgres';

/** Text in UTF-8 that sorts by bytes. */
const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

const settings = {
  timezone: 'UTC',
  log_timezone: 'UTC',
  shared_buffers: '256MB',
  max_connections: '200',
  // most disks are solid-state, and statements are too short to be worth compiling
  random_page_cost: '1.1',
  jit: 'off',
  max_wal_size: '4GB',
};

export function clusterIn(dataDir: string): server.EmbeddedOptions {
  return { folder: path.join(dataDir, 'postgres'), name: 'events_gateway', initdb: locale, settings };
}

export function hasEmbedded(dataDir: string): boolean {
  return server.hasCluster(clusterIn(dataDir).folder);
}

/** Starts the embedded PostgreSQL, or uses the running one. @throws Error with the reason */
export async function startEmbedded(
  dataDir: string,
  options: Pick<server.EmbeddedOptions, 'report' | 'warn'> = {},
): Promise<server.EmbeddedServer> {
  try {
    return await server.startEmbedded({ ...clusterIn(dataDir), ...options });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Error(`${reason}\nTo use another PostgreSQL, set DATABASE_URL.`, { cause: error });
  }
}

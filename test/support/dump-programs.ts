import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findPrograms } from './find-program.ts';

/** The programs that the guide to restores uses (docs/operations/restore.md). */
const programs = ['pg_dump', 'pg_restore', 'psql'];

/** The major version of the embedded PostgreSQL, of which npm brings none of them. */
const major = 18;

/** The folder of those of a server's version: older ones refuse it, and Debian's wrappers choose one. Null if there is none. */
export const dumpPrograms: string | null =
  [...findPrograms('pg_dump'), `/usr/lib/postgresql/${major}/bin/pg_dump`]
    .map((found) => path.dirname(found))
    .find((folder) => programs.every((name) => isOf(path.join(folder, name)))) ?? null;

/** The `PATH` with these programs first. */
export const dumpPath = [dumpPrograms, process.env.PATH].join(path.delimiter);

if (!dumpPrograms)
  console.log(`Tests of dumps are left out: no ${programs.join(', ')} of version ${major} on the PATH.`);

function isOf(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return new RegExp(`\\(PostgreSQL\\) ${major}\\.`).test(stdout ?? '');
}

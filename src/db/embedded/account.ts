import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/** The operating system user that PostgreSQL runs as if we are root, since PostgreSQL refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

/** How to run a PostgreSQL program: a command prefix, and the options of `spawn`. */
export interface Launch {
  prefix: string[];
  options: { uid?: number; gid?: number; cwd: string };
}

/**
 * The user that PostgreSQL runs as, or null for the current one. If we are root, it is the owner of an existing
 * cluster, or else the user `postgres` (created if missing), or else `nobody`.
 *
 * @throws Error if the cluster belongs to a user that we cannot switch to
 */
export function findAccount(existingCluster: string | null): Account | null {
  const self = process.getuid?.();
  if (self === undefined) return null;
  const owner = existingCluster ? statSync(existingCluster) : null;
  if (self !== 0) {
    if (owner && owner.uid !== self) {
      throw new Error(
        `${existingCluster} belongs to user ${owner.uid}, but this process runs as user ${self}. ` +
          'Run it as that user, or remove the folder to start with an empty database.',
      );
    }
    return null;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp('postgres') ?? create('postgres') ?? lookUp('nobody');
  if (!account) {
    throw new Error(
      'PostgreSQL refuses to run as root, and there is no user `postgres` or `nobody` to run it as. ' +
        'Run the service as another user, or set DATABASE_URL.',
    );
  }
  return account;
}

function lookUp(name: string): Account | null {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function create(name: string): Account | null {
  // the second form is BusyBox's
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', name]);
  return lookUp(name) ?? (spawnSync('adduser', ['-S', '-D', '-H', name]).status === 0 ? lookUp(name) : null);
}

/**
 * How `account` can run a program that must reach all of `paths`. If the account lacks permission (for example for a
 * checkout in a private home directory), the program keeps the single capability of root that it needs.
 *
 * @throws Error if that is not possible
 */
export function launchAs(account: Account | null, paths: string[]): Launch {
  if (!account) return { prefix: [], options: { cwd: '/' } };
  const options = { uid: account.uid, gid: account.gid, cwd: '/' };
  const unreachable = paths.find((path) => !canReach(account, path));
  if (unreachable === undefined) return { prefix: [], options };
  for (const capability of passingCapabilities()) {
    const prefix = [
      'setpriv',
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      // otherwise access(2), which initdb and pg_ctl use to find each other, would ignore the capability
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      '--',
    ];
    const [program = '', ...args] = [...prefix, ...probe(unreachable)];
    if (spawnSync(program, args, { cwd: '/' }).status === 0) return { prefix, options: { cwd: '/' } };
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and the user ${account.uid} that it would run as cannot reach ${unreachable}. ` +
      'Let others pass through its parent folders (chmod o+x), move it elsewhere, or set DATABASE_URL.',
  );
}

function canReach(account: Account, path: string): boolean {
  const [program = '', ...args] = probe(path);
  return spawnSync(program, args, { uid: account.uid, gid: account.gid, cwd: '/' }).status === 0;
}

/** Uses access(2), like PostgreSQL's own programs. */
function probe(path: string): string[] {
  return ['test', '-r', path];
}

/** This process's capabilities to traverse folders, the weaker one first (capabilities(7)). */
function passingCapabilities(): string[] {
  if (!existsSync('/proc/self/status')) return [];
  const capabilities = BigInt(
    `0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`,
  );
  const known = [
    { name: 'dac_read_search', bit: 2n },
    { name: 'dac_override', bit: 1n },
  ];
  return known.filter(({ bit }) => (capabilities >> bit) & 1n).map(({ name }) => name);
}

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

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
    if (!owner || owner.uid === self) return null;
    throw new Error(
      `${existingCluster} belongs to user ${owner.uid}, but this process runs as user ${self}. ` +
        'Run it as that user, or remove the folder to start with an empty database.',
    );
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp('postgres') ?? create('postgres') ?? lookUp('nobody');
  if (account) return account;
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no user `postgres` or `nobody` to run it as. ' +
      'Run the service as another user, or set DATABASE_URL.',
  );
}

function lookUp(name: string): Account | null {
  const [uid, gid] = ['-u', '-g'].map((option) => spawnSync('id', [option, name], { encoding: 'utf8' }));
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
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
  const { uid, gid } = account;
  const withCapability = (name: string): Launch => ({
    prefix: [
      ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
      // otherwise access(2), which initdb and pg_ctl use to find each other, would ignore the capability
      ...['--securebits=+no_setuid_fixup', `--inh-caps=+${name}`, `--ambient-caps=+${name}`, '--'],
    ],
    options: { cwd: '/' },
  });
  // the weaker capability first (capabilities(7)); a container may lack it
  const launches = [
    { prefix: [], options: { uid, gid, cwd: '/' } },
    ...['dac_read_search', 'dac_override'].map(withCapability),
  ];
  const found = launches.find((launch) => paths.every((path) => canReach(launch, path)));
  if (found) return found;
  throw new Error(
    `PostgreSQL refuses to run as root, and the user ${uid} that it would run as cannot reach ${paths.join(' and ')}. ` +
      'Let others pass through their parent folders (chmod o+x), move them elsewhere, or set DATABASE_URL.',
  );
}

/** Uses access(2), like PostgreSQL's own programs. */
function canReach({ prefix, options }: Launch, path: string): boolean {
  const [command = 'test', ...args] = [...prefix, 'test', '-r', path];
  return spawnSync(command, args, options).status === 0;
}

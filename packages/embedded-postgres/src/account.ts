import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

export type Account = { uid: number; gid: number };

/** How to run a program: the words before it, and the user to switch to. */
export interface Launch {
  prefix: string[];
  account: Account | null;
}

/** Null for the current user. PostgreSQL refuses root: then the owner of the cluster, `postgres` or `nobody`. */
export function findAccount(existingCluster: string | null): Account | null {
  const self = process.getuid?.();
  if (self === undefined) return null;
  const owner = existingCluster ? statSync(existingCluster) : null;
  if (self === 0) {
    const account = owner?.uid ? owner : (lookUp('postgres') ?? lookUp('nobody'));
    if (account) return { uid: account.uid, gid: account.gid };
    throw new Error('PostgreSQL refuses to run as root, and there is no user `postgres` or `nobody` to run it as.');
  }
  if (!owner || owner.uid === self) return null;
  throw new Error(
    `${existingCluster} belongs to user ${owner.uid}, but this process runs as user ${self}. ` +
      'Run it as that user, or remove the folder to start with an empty database.',
  );
}

function lookUp(name: string): Account | null {
  const [uid, gid] = ['-u', '-g'].map((option) => spawnSync('id', [option, name], { encoding: 'utf8' }));
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

/** How `account` can reach all of `paths`: if it lacks permission, with the single capability of root that it needs. */
export function launchAs(account: Account | null, paths: string[]): Launch {
  if (!account) return { prefix: [], account };
  const withCapability = (name: string): Launch => ({
    prefix: [
      ...['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'],
      // otherwise access(2), which initdb and pg_ctl use to find each other, would ignore the capability
      ...['--securebits=+no_setuid_fixup', `--inh-caps=+${name}`, `--ambient-caps=+${name}`, '--'],
    ],
    account: null,
  });
  // the weaker capability first (capabilities(7)); a container may lack it
  const launches = [{ prefix: [], account }, ...['dac_read_search', 'dac_override'].map(withCapability)];
  const found = launches.find((launch) => paths.every((path) => canReach(launch, path)));
  if (found) return found;
  throw new Error(
    `PostgreSQL refuses to run as root, and the user ${account.uid} that it would run as cannot reach ${paths.join(' and ')}. ` +
      'Let others pass through their parent folders (chmod o+x), or move them elsewhere.',
  );
}

/** Uses access(2), like PostgreSQL's own programs. */
function canReach({ prefix, account }: Launch, path: string): boolean {
  const [command = 'test', ...args] = [...prefix, 'test', '-r', path];
  return spawnSync(command, args, { ...account, cwd: '/' }).status === 0;
}

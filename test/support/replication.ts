import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster, urlOf } from '../../packages/embedded-postgres/src/cluster.ts';
import { isRunning, readPostmaster, startServer, stopServer } from '../../packages/embedded-postgres/src/postmaster.ts';
import { withClient } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { ask } from './database.ts';
import { openPostgres, startPostgres } from './postgres.ts';

/** Starts a migrated cluster over which nothing watches: what has ended stays so. */
export async function startCluster(dataDir: string, serverSettings: Record<string, string>): Promise<Cluster> {
  const made = await startPostgres({ dataDir, serverSettings });
  await migrate(made.url);
  await made.stop();
  return await restartCluster(dataDir);
}

/** Starts what is in a folder, as it is. */
export async function restartCluster(dataDir: string): Promise<Cluster> {
  const cluster = await openPostgres(dataDir);
  await startServer(cluster);
  return cluster;
}

/** Where a cluster listens now: its database for the service, or that of the superuser. */
export async function urlIn(
  cluster: Cluster,
  role: 'owner' | 'postgres' = 'owner',
  database?: string,
): Promise<string> {
  return urlOf(cluster, (await readPostmaster(cluster))?.port as number, role, database);
}

/** Ends a cluster at once, as an immediate shutdown does: every process of it quits where it is. */
export async function crash(cluster: Cluster): Promise<void> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster) process.kill(postmaster.pid, 'SIGQUIT');
  while (postmaster && (await isRunning(postmaster, cluster))) await new Promise((resolve) => setTimeout(resolve, 10));
}

/**
 * Copies a running cluster with the low-level API (PostgreSQL 18, section 25.3.4): npm brings no pg_basebackup. The cluster
 * stands in the folder `postgres` of both.
 *
 * @returns where the data of the copy is
 */
export async function copyCluster(cluster: Cluster, from: string, to: string): Promise<string> {
  const data = path.join(to, 'postgres', 'data');
  await withClient(await urlIn(cluster, 'postgres', 'postgres'), async (client) => {
    await client.query(`select pg_backup_start('copy', fast => true)`);
    await mkdir(to, { recursive: true });
    await promisify(execFile)('cp', ['-a', path.join(from, 'postgres'), to]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
    await Promise.all(['postmaster.pid', 'postmaster.opts'].map((name) => rm(path.join(data, name), { force: true })));
    await writeFile(path.join(data, 'backup_label'), rows[0].labelfile);
  });
  return data;
}

/** Gives the files that a test wrote into a folder of data to whoever the rest of it belongs to. */
export const giveAway = (data: string) =>
  promisify(execFile)('chown', ['-R', `--reference=${path.join(data, 'PG_VERSION')}`, data]);

/** A primary and a standby that streams from it, as the programs of PostgreSQL make them. */
export async function startReplication() {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-replication-'));
  await chmod(dir, 0o755);
  const [primaryDir, standbyDir] = [path.join(dir, 'primary'), path.join(dir, 'standby')];
  const settings = { fsync: 'off', shared_buffers: '32MB', max_connections: '60', wal_keep_size: '64MB' };
  const primary = await startCluster(primaryDir, settings);
  const [url, superuserUrl] = [await urlIn(primary), await urlIn(primary, 'postgres')];
  const data = await copyCluster(primary, primaryDir, standbyDir);
  const { hostname, port, username, password } = new URL(superuserUrl);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(path.join(data, 'standby.signal'), '');
  await appendFile(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  await giveAway(data);
  const standby = await restartCluster(standbyDir);
  /** Both run a statement as the superuser. */
  const onStandby = async (statement: string) => await ask(await urlIn(standby, 'postgres'), statement);
  const onPrimary = (statement: string) => ask(superuserUrl, statement);
  return {
    url,
    /** The same database on the standby. */
    replicaUrl: await urlIn(standby),
    onStandby,
    onPrimary,
    /** Until the standby has replayed what the primary has written by now. */
    caughtUp: async () => {
      const [row] = await onPrimary('select pg_current_wal_flush_lsn()::text as lsn');
      const reached = `select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as is`;
      while (!(await onStandby(reached))[0]?.is) await sleep(20);
    },
    stopStandby: () => stopServer(standby),
    startStandby: () => startServer(standby),
    /** Ends the primary at once, without a word to the standby, and for good. */
    crashPrimary: () => crash(primary),
    close: async () => {
      await stopServer(standby);
      await stopServer(primary);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

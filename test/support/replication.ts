import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from '../../packages/embedded-postgres/src/cluster.ts';
import { isRunning, readPostmaster, startServer, stopServer } from '../../packages/embedded-postgres/src/postmaster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { copyCluster, makeStandby } from './base-backup.ts';
import { ask } from './database.ts';
import { openPostgres, startPostgres } from './postgres.ts';

export type Replication = Awaited<ReturnType<typeof startReplication>>;

const run = promisify(execFile);

/** A primary and a standby that streams from it, as the programs of PostgreSQL make them. */
export async function startReplication() {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-replication-'));
  await run('chmod', ['755', dir]);
  const [primaryDir, standbyDir] = [path.join(dir, 'primary'), path.join(dir, 'standby')];
  const settings = { fsync: 'off', shared_buffers: '32MB', max_connections: '60', wal_keep_size: '64MB' };
  const primary = await startPostgres({ dataDir: primaryDir, serverSettings: settings });
  await migrate(primary.url);
  await copyCluster(primary.superuserUrl, primaryDir, standbyDir);
  const { hostname, port, username, password } = new URL(primary.superuserUrl);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await makeStandby(standbyDir, { primary_conninfo: conninfo });
  const { url, superuserUrl } = primary;
  // what has ended stays so: nothing watches over either of them
  await primary.stop();
  const [former, standby] = [await openPostgres(primaryDir), await openPostgres(standbyDir)];
  await startServer(former);
  await startServer(standby);
  const at = async (other: string) => await withPort(other, standby);
  const replicaUrl = await at(url);
  /** Both run a statement as the superuser. */
  const onStandby = async (statement: string) => await ask(await at(superuserUrl), statement);
  const onPrimary = (statement: string) => ask(superuserUrl, statement);
  return {
    url,
    superuserUrl,
    /** The same database on the standby. */
    replicaUrl,
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
    crashPrimary: async () => {
      const postmaster = await readPostmaster(former);
      // an immediate shutdown: every process of it quits where it is
      if (postmaster) process.kill(postmaster.pid, 'SIGQUIT');
      while (postmaster && (await isRunning(postmaster, former))) await sleep(10);
    },
    close: async () => {
      await stopServer(standby);
      await stopServer(former);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function withPort(url: string, cluster: Cluster): Promise<string> {
  const at = new URL(url);
  at.port = String((await readPostmaster(cluster))?.port);
  return at.href;
}

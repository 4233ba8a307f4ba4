import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, stopServer } from '../../packages/embedded-postgres/src/postmaster.ts';
import { copyCluster, crash, giveAway, restartCluster, startCluster, urlIn } from './clusters.ts';
import { ask } from './database.ts';

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

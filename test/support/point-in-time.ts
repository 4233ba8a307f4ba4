import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopServer } from '../../packages/embedded-postgres/src/postmaster.ts';
import { copyCluster, crash, giveAway, restartCluster, startCluster, urlIn } from './clusters.ts';
import { ask as askAt } from './database.ts';
import { restoreCommands, runBlock } from './operation-guide.ts';

/** The commands of the guide that put a backup back, with the backup and the time that they name. */
function guide() {
  const [restoring = ''] = restoreCommands('To a time');
  const [backup = ''] = /\/backups\/\S+/.exec(restoring) ?? [];
  const [, targetTime = ''] = /recovery_target_time = '(.+)'/.exec(restoring) ?? [];
  return { restoring, backup, targetTime };
}

/** A database of which a base backup was taken and all its log is archived. */
export async function startArchivedDatabase() {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-restore-'));
  await chmod(dir, 0o755);
  const at = (name: string) => path.join(dir, name);
  const archive = at('archive');
  const data = at('primary/postgres/data');
  await mkdir(archive);
  // PostgreSQL may run as another user
  await chmod(archive, 0o777);
  let cluster = await startCluster(at('primary'), {
    shared_buffers: '32MB',
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  });
  let url = await urlIn(cluster);
  const ask = async (statement: string) => await askAt(await urlIn(cluster, 'postgres', 'postgres'), statement);
  await copyCluster(cluster, at('primary'), at('copy'));
  let time = '';
  return {
    /** Where it is now: a restored one listens elsewhere. */
    get url() {
      return url;
    },
    /** A folder for what belongs to the test. */
    dir,
    /** Notes the time that is restored. */
    noteTime: async () => {
      await sleep(200);
      time = String((await ask('select clock_timestamp()::text as time'))[0]?.time);
      await sleep(200);
    },
    /** Kills the server, deletes its files, and recovers the backup to the time that was noted. */
    destroyAndRestore: async () => {
      const [row] = await ask('select pg_walfile_name(pg_switch_wal()) as segment');
      const archived = `select last_archived_wal >= '${row?.segment}' as is from pg_stat_archiver`;
      while (!(await ask(archived))[0]?.is) await sleep(50);
      await crash(cluster);
      await rm(data, { recursive: true });

      const { restoring, backup, targetTime } = guide();
      await mkdir(path.dirname(at(backup)), { recursive: true });
      await rename(at('copy/postgres/data'), at(backup));
      const places = { [backup]: at(backup), '/archive': archive, [targetTime]: time };
      await runBlock(restoring, places, { PGDATA: data });
      await giveAway(data);
      cluster = await restartCluster(at('primary'));
      while ((await ask('select pg_is_in_recovery() as is'))[0]?.is) await sleep(50);
      url = await urlIn(cluster);
    },
    close: async () => {
      await stopServer(cluster);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

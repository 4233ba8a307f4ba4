import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findAccount, launchAs } from '../../packages/embedded-postgres/src/account.ts';

import { findBinaries, isAlive } from '../../packages/embedded-postgres/src/cluster.ts';
import { npmPackage } from './postgres.ts';
import { findProgram, freePort, lacks } from './programs.ts';

/** Whether the drills cannot run here: Patroni also needs a consensus library. */
export const lacksPatroni = (): boolean =>
  lacks('pg_isready') || lacks('patroni', hasRaft() ? findProgram('patroni') : null);

const hasRaft = () => spawnSync('/usr/bin/python3', ['-c', 'import pysyncobj']).status === 0;

export type PatroniCluster = Awaited<ReturnType<typeof startPatroni>>;

const password = 'of-the-drill';
const names = ['a', 'b', 'c'];

/** Three members with consensus among themselves, and with synchronous replication. */
export async function startPatroni() {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-patroni-'));
  await chmod(dir, 0o755);
  const bin = path.join(dir, 'bin');
  const binaries = await findBinaries(npmPackage);
  await mkdir(bin);
  for (const each of Object.values(binaries)) await symlink(each, path.join(bin, path.basename(each)));
  await symlink(findProgram('pg_isready') as string, path.join(bin, 'pg_isready'));
  const script = async (name: string, url: string) => {
    const file = fileURLToPath(url);
    await writeFile(path.join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`, { mode: 0o755 });
  };
  await script('pg_controldata', import.meta.resolve('./patroni-control-data.ts'));
  await script('copy', import.meta.resolve('./patroni-copy.ts'));
  const members = await Promise.all(
    names.map(async (name) => {
      const [postgres, raft, rest] = [await freePort(), await freePort(), await freePort()];
      return { name, postgres, raft, rest, data: path.join(dir, `data-${name}`) };
    }),
  );
  const account = findAccount(null);
  const launch = launchAs(account, [dir, binaries.postgres]);
  let output = '';
  const children: ChildProcess[] = [];
  for (const { name, postgres, raft, rest, data } of members) {
    const at = (port: number) => `127.0.0.1:${port}`;
    const others = members.filter((each) => each.name !== name).map((each) => at(each.raft));
    const hosts = ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'];
    const own = path.join(dir, name);
    await mkdir(own);
    const configuration = {
      ...{ scope: 'drill', name },
      restapi: { listen: at(rest), connect_address: at(rest) },
      raft: { data_dir: own, self_addr: at(raft), partner_addrs: others },
      bootstrap: {
        dcs: {
          ...{ ttl: 20, loop_wait: 1, retry_timeout: 3, primary_start_timeout: 0, synchronous_mode: true },
          postgresql: {
            ...{ use_pg_rewind: false, use_slots: true },
            parameters: { max_connections: 60, shared_buffers: '32MB', wal_keep_size: '64MB' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'scram-sha-256' }],
        pg_hba: hosts,
      },
      postgresql: {
        ...{ listen: at(postgres), connect_address: at(postgres), data_dir: data, bin_dir: bin },
        pgpass: path.join(own, 'pgpass'),
        authentication: {
          superuser: { username: 'postgres', password },
          replication: { username: 'replicator', password },
        },
        parameters: { unix_socket_directories: '' },
        create_replica_methods: ['copy'],
        copy: { command: path.join(bin, 'copy') },
      },
    };
    // JSON is YAML
    await writeFile(path.join(own, 'patroni.yml'), JSON.stringify(configuration));
  }
  for (const each of account ? [dir, ...names.map((name) => path.join(dir, name))] : [])
    await chown(each, account?.uid ?? 0, account?.gid ?? 0);
  for (const name of names) {
    const args = [...launch.prefix, findProgram('patroni') as string, path.join(dir, name, 'patroni.yml')];
    const child = spawn(args[0] as string, args.slice(1), {
      ...launch.account,
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: dir, LC_ALL: 'C', DRILL_PASSWORD: password },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += `${name}: ${chunk}`;
      });
    }
    children.push(child);
  }
  const cluster = async () => {
    for (const { rest } of members) {
      const answer = await fetch(`http://127.0.0.1:${rest}/cluster`).catch(() => null);
      if (answer?.ok)
        return ((await answer.json()) as { members: { name: string; role: string; state: string }[] }).members;
    }
    return [];
  };
  const leader = async () =>
    (await cluster()).find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? null;
  const close = async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(20_000, undefined, { ref: false })]);
      child.kill('SIGKILL');
    }
    for (const { data } of members) {
      const pid = await postmasterOf(data);
      if (pid && isAlive(pid)) process.kill(pid, 'SIGQUIT');
    }
    await sleep(500);
    await rm(dir, { recursive: true, force: true });
  };
  const end = performance.now() + 150_000;
  // a leader, and a standby that each acknowledged write waits for
  while (!(await cluster()).some(({ role }) => role === 'sync_standby')) {
    if (performance.now() > end) {
      await close();
      throw new Error(`Patroni has no synchronous standby: ${output.slice(-6_000)}`);
    }
    await sleep(200);
  }
  const first = await leader();
  const hosts = members
    .toSorted((one, other) => Number(other.name === first) - Number(one.name === first))
    .map(({ postgres }) => `127.0.0.1:${postgres}`)
    .join(',');
  const killPrimary = async (name: string) => {
    const data = members.find((each) => each.name === name)?.data as string;
    process.kill((await postmasterOf(data)) as number, 'SIGKILL');
    return name;
  };
  return {
    members,
    /** Names all members, of which the primary is wanted; the one that is it now comes first. */
    url: `postgres://postgres:${password}@${hosts}/postgres?target_session_attrs=read-write`,
    leader,
    /** Kills the server of the leader, and returns the name of the member. */
    killPrimary: async () => await killPrimary((await leader()) as string),
    /** The same together with its Patroni, as the loss of the machine would. */
    killMachine: async () => {
      const name = (await leader()) as string;
      children[names.indexOf(name)]?.kill('SIGKILL');
      return await killPrimary(name);
    },
    close,
  };
}

async function postmasterOf(data: string): Promise<number | null> {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => null);
  return text === null ? null : Number(text.split('\n')[0]);
}

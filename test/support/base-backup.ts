import { execFile } from 'node:child_process';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

/**
 * Copies a running cluster with the low-level API (PostgreSQL 18, section 25.3.4): npm brings no pg_basebackup. The cluster
 * stands in the folder `postgres` of both.
 */
export async function copyCluster(superuserUrl: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('copy', fast => true)`);
    await mkdir(to, { recursive: true });
    await run('cp', ['-a', path.join(from, 'postgres'), to]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
    const data = dataOf(to);
    await Promise.all(['postmaster.pid', 'postmaster.opts'].map((name) => rm(path.join(data, name), { force: true })));
    await writeFile(path.join(data, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
}

/** Makes a copy start as a standby: an empty file that says so, and settings. */
export async function makeStandby(to: string, settings: Record<string, string>): Promise<void> {
  const data = dataOf(to);
  await writeFile(path.join(data, 'standby.signal'), '');
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(path.join(data, 'postgresql.auto.conf'), lines.join(''));
  await run('chown', ['-R', `--reference=${path.join(data, 'PG_VERSION')}`, data]);
}

const dataOf = (dir: string) => path.join(dir, 'postgres', 'data');

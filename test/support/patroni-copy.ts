import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';

// Makes a standby for Patroni, in place of `pg_basebackup`, which the packages of npm do not bring; all members are on one
// machine. Patroni gives the folder and where the leader is: `--datadir=… --connstring=…`.
const { values } = parseArgs({
  options: { datadir: { type: 'string' }, connstring: { type: 'string' } },
  strict: false,
});
const data = String(values.datadir);
const port = Number(/port=(\d+)/.exec(String(values.connstring))?.[1] ?? /:(\d+)/.exec(String(values.connstring))?.[1]);
const client = new Client({
  ...{ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
  password: process.env.DRILL_PASSWORD,
});
await client.connect();
const { data_directory: source } = (await client.query('show data_directory')).rows[0];
await client.query(`select pg_backup_start('standby', true)`);
await rm(data, { recursive: true, force: true });
// the files of a running server come and go
const stays = (file: string) => !/\/(pg_wal|pg_replslot|pg_stat_tmp)\/.|\/postmaster\.(pid|opts)$|pgsql_tmp/.test(file);
await cp(source, data, { recursive: true, filter: stays, mode: 0 });
await mkdir(path.join(data, 'pg_wal', 'archive_status'), { recursive: true });
const { labelfile } = (await client.query('select * from pg_backup_stop(false)')).rows[0];
await writeFile(path.join(data, 'backup_label'), labelfile);
await client.end();

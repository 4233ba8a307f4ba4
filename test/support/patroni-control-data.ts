import { readFileSync } from 'node:fs';
import path from 'node:path';

// What Patroni reads of `pg_controldata`, which the packages of npm do not bring: `node patroni-control-data.ts DATA`.
// The layout is that of PostgreSQL 18 (src/include/catalog/pg_control.h).
const control = readFileSync(path.join(process.argv.at(-1) as string, 'global', 'pg_control'));
const states = ['starting up', 'shut down', 'shut down in recovery', 'shutting down', 'in crash recovery'];
const place = (at: number) => `${control.readUInt32LE(at + 4).toString(16)}/${control.readUInt32LE(at).toString(16)}`;
const fields = {
  'pg_control version number': control.readUInt32LE(8),
  'Database system identifier': control.readBigUInt64LE(0),
  'Database cluster state': [...states, 'in archive recovery', 'in production'][control.readInt32LE(16)],
  'Latest checkpoint location': place(32).toUpperCase(),
  "Latest checkpoint's REDO location": place(40).toUpperCase(),
  "Latest checkpoint's TimeLineID": control.readUInt32LE(48),
};
for (const [name, value] of Object.entries(fields)) console.log(`${name}: ${value}`);

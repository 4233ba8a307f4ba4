import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../src/db/migrate.ts';
import { startPostgres } from '../support/postgres.ts';
import { fuzz } from './fuzz.ts';

// npm run fuzz -- --requests 1000000 --seed 1 --part 1/4 (docs/contribute/evidence.md#any-request)

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
    batch: { type: 'string' },
  },
});
const whole = (name: string, text: string, least: number) => {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) throw new Error(`--${name}: a whole number from ${least}`);
  return Number(text);
};
const [, index = '', of = ''] = /^(\d+)\/(\d+)$/.exec(values.part) ?? [];
const part = { index: whole('part', index, 1), of: whole('part', of, 1) };
if (part.index > part.of) throw new Error('--part: such as 1/4, 2/4, …');
const seed = whole('seed', values.seed, 0);
const requests = Math.ceil(whole('requests', values.requests, 1) / part.of);
const batch = values.batch === undefined ? {} : { batch: whole('batch', values.batch, 0) };

const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-fuzz-'));
await chmod(dataDir, 0o755);
const serverSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '1GB' };
const database = await startPostgres({ dataDir, serverSettings });
try {
  await migrate(database.url);
  const report = await fuzz({ databaseUrl: database.url, seed, requests, part, ...batch, report: console.log });
  const { failures, limited, byStatus, seconds } = report;
  const drowned = limited > report.requests / 100;
  console.log(
    `seed ${seed}, part ${part.index}/${part.of}: ${report.requests} requests in ${report.batches} batches and ${Math.round(seconds)} s, ${limited} put off, ${failures.length} failures`,
  );
  console.log(`compared: ${JSON.stringify(report.compared)}`);
  console.log(`by status: ${JSON.stringify(byStatus)}`);
  if (drowned) console.log('More than one in a hundred was put off: this was no run.');
  process.exitCode = failures.length > 0 || drowned ? 1 : 0;
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}

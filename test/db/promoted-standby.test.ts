import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import type { Database } from '../../src/engine/database.ts';
import { ChangeWatch } from '../../src/jobs/change-watch.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { logChange } from '../support/log-change.ts';
import { type Replication, startReplication } from '../support/replication.ts';

let replication: Replication;
let former: Orm;
let promoted: Orm;
let watch: ChangeWatch;

beforeAll(async () => {
  replication = await startReplication();
  former = await createOrm({ url: replication.url });
});
afterAll(async () => {
  await watch?.stop();
  await former?.close(true);
  await promoted?.close(true);
  await replication?.close();
});

it('a watch notices what others commit on a promoted standby that is behind the former primary', async () => {
  const { id: organizationId } = await insertOrganization(former);
  await replication.caughtUp();
  await replication.stopStandby();
  // the standby will number its transactions as these were numbered
  for (let count = 0; count < 100; count += 1) await replication.onPrimary('select pg_current_xact_id()');
  let db: Database | null = new PostgresDatabase(former);
  let polls = 0;
  const transaction: Database['transaction'] = async (...given) => {
    if (!db) throw new Error('the database is away');
    polls += 1;
    return await db.transaction(...given);
  };
  const log = { warn: () => undefined };
  watch = new ChangeWatch({ db: { transaction } as never, log: log as never, interval: 50 });
  const wake = vi.fn();
  watch.watch(organizationId, wake);
  await expect.poll(() => polls).toBeGreaterThan(2);
  db = null;
  await replication.crashPrimary();
  await replication.startStandby();
  await replication.onStandby('select pg_promote()');
  promoted = await createOrm({ url: replication.replicaUrl });
  await logChange({ orm: promoted }, organizationId);
  wake.mockClear();
  db = new PostgresDatabase(promoted);
  await expect.poll(() => wake.mock.calls.length, { timeout: 5_000 }).toBeGreaterThan(0);
  // from then on as before
  const before = polls;
  await expect.poll(() => polls).toBeGreaterThan(before + 2);
  wake.mockClear();
  await logChange({ orm: promoted }, randomUUID());
  await logChange({ orm: promoted }, organizationId);
  await expect.poll(() => wake.mock.calls.length).toBe(1);
}, 120_000);

import { randomUUIDv7 } from 'node:crypto';
import { expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { JobQueue, wakePeriodic } from '../../src/engine/jobs/job-queue.ts';
import { periodicLane } from '../../src/jobs/periodic.ts';
import { createTestDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';
import { shared } from '../support/shared.ts';

const database = await shared(createTestDatabase());
const db = new PostgresDatabase(database.orm);

async function insertJob(party: string): Promise<void> {
  await database.execute(
    `insert into job (id, lane, kind, data, party, key) values (gen_random_uuid(), 'notices', 'any', '{}', ?, 'one')`,
    [party],
  );
}

it('a job that is held back while the one before it ends is released after that', async () => {
  const party = randomUUIDv7();
  const queue = new JobQueue(db, 'notices');
  await insertJob(party);
  const first = await queue.claim(10);
  expect(first).toHaveLength(1);
  await insertJob(party);
  await db.transaction(async (unit) => {
    await queue.endIn(unit, first[0] as NonNullable<(typeof first)[0]>);
    // does not see the end yet, so it holds the second one back
    expect(await queue.claim(10)).toEqual([]);
  });
  const held = () => database.execute('select held, due_at <= now() as due from job where party = ?', [party]);
  expect(await held()).toEqual([{ held: true, due: false }]);
  await queue.releaseNext(first);
  expect(await held()).toEqual([{ held: false, due: true }]);
});

it('periodic work that is woken while it is being done is done again', async () => {
  const queue = new JobQueue(db, 'periodic');
  await database.execute(
    `insert into job (id, lane, kind, key, data) values (gen_random_uuid(), 'periodic', 'any', 'any', '{}')`,
  );
  const [running] = await queue.claim(1);
  await db.run(wakePeriodic({ key: 'any' }));
  await queue.again(running as NonNullable<typeof running>, { seconds: 300 });
  const [again] = await queue.claim(1);
  expect(again?.id).toBe(running?.id);
  await queue.again(again as NonNullable<typeof again>, { seconds: 300 });
  expect(await queue.claim(1)).toEqual([]);
});

it('an organization that another process is deleting is looked at again soon: that process may not finish', async () => {
  const em = database.orm.em.fork();
  await em.execute(`insert into job (id, lane, kind, key, data)
    values (gen_random_uuid(), 'periodic', 'deletions', 'deletions', '{}') on conflict do nothing`);
  const id = randomUUIDv7();
  await em.execute(
    `insert into organization (id, name, slug, signup, deleted_at) values (?, 'Gone', ?, 'invite', now())`,
    [id, id],
  );
  const lane = periodicLane({
    db,
    log: silentLog,
    bounded: true,
    retentionDays: { mails: 1, changes: 1, audit: 1 } as never,
    nudge: () => undefined,
  });
  const run = async () => {
    const [job] = await lane.queue.claim(1);
    await lane.run(job as NonNullable<typeof job>, new AbortController().signal, (record) => record());
    const [due] = await em.execute<{ seconds: number }[]>(
      `select extract(epoch from due_at - now())::int as seconds from job where kind = 'deletions'`,
    );
    return due?.seconds;
  };
  await db.transaction(async (unit) => {
    await unit.row({ sql: 'select from organization where id = $1 for update', parameters: [id] });
    expect(await run()).toBeLessThan(5);
  });
  await db.run(wakePeriodic({ key: 'deletions' }));
  expect(await run()).toBeGreaterThan(200);
});

import { randomUUIDv7 } from 'node:crypto';
import { expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { deleteStep, type Step } from '../../src/domain/leaving/delete-steps.ts';
import { nobody } from '../../src/engine/jobs/job.table.ts';
import { JobQueue, wakePeriodic } from '../../src/engine/jobs/job-queue.ts';
import { periodicLane } from '../../src/jobs/periodic.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertOrganization, insertUser } from '../support/fixtures.ts';
import { holding } from '../support/locks.ts';
import { silentLog } from '../support/log.ts';
import { shared } from '../support/shared.ts';

const database = await shared(createTestDatabase());
const db = new PostgresDatabase(database.orm);
const scope = { db, bounded: true };

/** An organization with an event and so many subscriptions of guests and of a user, which is being deleted for so long. */
async function createDeleted({ subscriptions = 0, minutes = 0, days = 10 } = {}) {
  const { id } = await insertOrganization(database.orm);
  const dateStart = new Date(Date.now() + days * 86_400_000);
  const event = await insertEvent(database.orm, { organizationId: id, dateStart });
  const user = await insertUser(database.orm);
  await database.execute(
    `with guests as (
       insert into "user" (id, name, email, mailbox, verified_at) select gen_random_uuid(), 'Guest', g || '@' || ? , g || '@' || ?, now()
       from generate_series(1, ?) g returning id
     ) insert into subscription (id, event_id, user_id, status)
       select gen_random_uuid(), ?::uuid, id, 'accepted' from guests union all select gen_random_uuid(), ?::uuid, ?::uuid, 'accepted'`,
    [`${id}.example`, `${id}.example`, subscriptions, event.id, event.id, user.id],
  );
  const deleted = 'update organization set deleted_at = now() - make_interval(mins => ?) where id = ?';
  await database.execute(deleted, [minutes, id]);
  return { id, event, user };
}

/** Steps until there are no more, or one says that it waits. */
async function stepThrough(): Promise<Step[]> {
  const steps: Step[] = [];
  while (true) {
    const step = await deleteStep(scope, []);
    if (!step) return steps;
    steps.push(step);
    if (step.outcome === 'waiting') return steps;
  }
}

const countOf = async (table: string, id: string) =>
  (await database.execute(`select from ${table} t where t::text like ?`, [`%${id}%`])).length;

it('an organization goes in batches, once its mails are sent', async () => {
  const { id, event, user } = await createDeleted({ subscriptions: 1_200 });
  const first = await stepThrough();
  expect(first.map(({ outcome }) => outcome)).toEqual(['continued', 'waiting']);
  expect(await database.execute('select status from event where id = ?', [event.id])).toEqual([{ status: 2 }]);
  expect(await database.execute("select kind from job where lane = 'notices'")).toEqual([{ kind: 'cancelled' }]);
  // as if they were sent
  await database.execute("delete from job where lane = 'notices'");
  const steps = await stepThrough();
  // three batches of subscriptions, the event, and the organization
  expect(steps.map(({ outcome }) => outcome)).toEqual(['continued', 'continued', 'continued', 'continued', 'gone']);
  for (const table of ['organization', 'event', 'subscription', '"user"']) expect(await countOf(table, id)).toBe(0);
  expect(await countOf('"user"', user.id)).toBe(1);
  expect(await deleteStep(scope, [])).toBeNull();
});

it('mails that are not sent in time go with the rest', async () => {
  const { id } = await createDeleted({ subscriptions: 1, minutes: 46 });
  const steps = await stepThrough();
  expect(steps.at(-1)).toEqual({ organizationId: id, outcome: 'gone' });
  expect(await database.execute("select from job where lane = 'notices'")).toEqual([]);
});

it('one that waits holds up no other, and events that are over are not cancelled', async () => {
  const waiting = await createDeleted({ subscriptions: 1 });
  const over = await createDeleted({ subscriptions: 1, days: -10 });
  expect((await stepThrough()).at(-1)).toEqual({ organizationId: waiting.id, outcome: 'waiting' });
  const outcomes: (string | undefined)[] = [];
  for (let count = 0; count < 3; count += 1) outcomes.push((await deleteStep(scope, [waiting.id]))?.outcome);
  expect(outcomes).toEqual(['continued', 'continued', 'gone']);
  expect(await countOf('organization', over.id)).toBe(0);
  expect(await deleteStep(scope, [waiting.id])).toBeNull();
  await database.execute("delete from job where lane = 'notices'");
  await stepThrough();
});

it('several processes take turns, and an interrupted step is done again', async () => {
  const { id } = await createDeleted({ subscriptions: 2_000, days: -10 });
  const held = await holding(database, 'select from organization where id = ? for no key update', [id]);
  expect(await deleteStep(scope, [])).toBeNull();
  await held.rollback();
  while (await countOf('organization', id)) await Promise.all([deleteStep(scope, []), deleteStep(scope, [])]);
  expect(await countOf('"user"', id)).toBe(0);
  expect(await countOf('organization', randomUUIDv7())).toBe(0);
});

/** A job that is due at once: the default of `due_at` is rounded, perhaps to a time that has not come yet. */
async function insertJob(job: { lane: string; kind?: string; key: string; party?: string }): Promise<void> {
  await database.execute(
    `insert into job (id, lane, kind, data, party, key, due_at)
       values (gen_random_uuid(), ?, ?, '{}', ?, ?, date_trunc('milliseconds', now())) on conflict do nothing`,
    [job.lane, job.kind ?? 'any', job.party ?? nobody, job.key],
  );
}

it('a job that is held back while the one before it ends is released after that', async () => {
  const party = randomUUIDv7();
  const queue = new JobQueue(db, 'notices');
  await insertJob({ lane: 'notices', key: 'one', party });
  const first = await queue.claim(10);
  expect(first).toHaveLength(1);
  await insertJob({ lane: 'notices', key: 'one', party });
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

it('a party that may run nothing keeps no other waiting whose job comes right after it was looked for', async () => {
  const [blocked, other] = [randomUUIDv7(), randomUUIDv7()];
  const share = async (_unit: unknown, parties: readonly string[]) =>
    new Map(parties.filter((id) => id !== blocked).map((id) => [id, 8]));
  const queue = new JobQueue(db, 'deliveries', { share });
  await insertJob({ lane: 'deliveries', key: 'one', party: blocked });
  expect(await queue.claim(10)).toEqual([]);
  for (const key of ['one', 'two']) {
    await insertJob({ lane: 'deliveries', key, party: other });
    expect(await queue.claim(10)).toMatchObject([{ party: other, key }]);
  }
  await database.execute("delete from job where lane = 'deliveries'");
});

it('a party whose job comes after it was looked for is found although others have more', async () => {
  await database.execute("delete from job where lane = 'notices'");
  const [first, other] = [randomUUIDv7(), randomUUIDv7()];
  const queue = new JobQueue(db, 'notices');
  await insertJob({ lane: 'notices', key: 'one', party: first });
  expect(await queue.claim(10)).toHaveLength(1);
  await insertJob({ lane: 'notices', key: 'two', party: first });
  await insertJob({ lane: 'notices', key: 'one', party: other });
  const found: string[] = [];
  do found.push(...(await queue.claim(10)).map(({ party }) => party));
  while (queue.wanted);
  expect(found).toEqual([first, other]);
});

it('a job that ends while a claim still counts it has the queue look again', async () => {
  const queue: JobQueue = new JobQueue(db, 'deliveries', {
    share: async () => {
      // as at the end of a job
      queue.wanted ||= queue.isCrowded;
      return new Map();
    },
  });
  await insertJob({ lane: 'deliveries', key: 'one', party: randomUUIDv7() });
  expect(await queue.claim(10)).toEqual([]);
  expect(queue.wanted).toBe(true);
  await database.execute("delete from job where lane = 'deliveries'");
});

it('periodic work that is woken while it is being done is done again', async () => {
  const queue = new JobQueue(db, 'periodic');
  await insertJob({ lane: 'periodic', key: 'any' });
  const [running] = await queue.claim(1);
  await db.run(wakePeriodic({ key: 'any' }));
  await queue.again(running as NonNullable<typeof running>, { seconds: 300 });
  const [again] = await queue.claim(1);
  expect(again?.id).toBe(running?.id);
  await queue.again(again as NonNullable<typeof again>, { seconds: 300 });
  expect(await queue.claim(1)).toEqual([]);
});

it('an organization that another process is deleting is looked at again soon: that process may not finish', async () => {
  await insertJob({ lane: 'periodic', kind: 'deletions', key: 'deletions' });
  const { id } = await createDeleted({ days: -10 });
  const retentionDays = { mails: 1, changes: 1, audit: 1 } as never;
  const lane = periodicLane({ db, log: silentLog, bounded: true, retentionDays, nudge: () => undefined });
  const run = async () => {
    const [job] = await lane.queue.claim(1);
    await lane.run(job as NonNullable<typeof job>, new AbortController().signal, (record) => record());
    const [due] = await database.execute<{ seconds: number }>(
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

import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { deleteStep, type Step } from '../../src/domain/leaving/delete-steps.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertOrganization, insertUser } from '../support/fixtures.ts';
import { shared } from '../support/shared.ts';

const database = await shared(createTestDatabase());
const scope = { db: new PostgresDatabase(database.orm), bounded: true };

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
  await database.execute(`update organization set deleted_at = now() - make_interval(mins => ?) where id = ?`, [
    minutes,
    id,
  ]);
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
  (
    await database.execute<{ n: number }>(`select count(*)::int as n from ${table} t where t::text like ?`, [`%${id}%`])
  )[0]?.n;

test('an organization goes in batches, once its mails are sent', async () => {
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

test('mails that are not sent in time go with the rest', async () => {
  const { id } = await createDeleted({ subscriptions: 1, minutes: 46 });
  const steps = await stepThrough();
  expect(steps.at(-1)).toEqual({ organizationId: id, outcome: 'gone' });
  expect(await database.execute("select from job where lane = 'notices'")).toEqual([]);
});

test('one that waits holds up no other, and events that are over are not cancelled', async () => {
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

test('several processes take turns, and an interrupted step is done again', async () => {
  const { id } = await createDeleted({ subscriptions: 2_000, days: -10 });
  const held = database.orm.em.fork();
  await held.begin();
  await held.execute('select from organization where id = ? for no key update', [id]);
  expect(await deleteStep(scope, [])).toBeNull();
  await held.rollback();
  while (await countOf('organization', id)) await Promise.all([deleteStep(scope, []), deleteStep(scope, [])]);
  expect(await countOf('"user"', id)).toBe(0);
  expect(await countOf('organization', randomUUIDv7())).toBe(0);
});

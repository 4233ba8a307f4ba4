import { randomUUIDv7 } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { createEmptyDatabase } from '../support/database.ts';

// A subscription knows the organization of its event, whoever writes it (note 0060).

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let orm: Orm;
const [first, second, user] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
const ofFirst = randomUUIDv7();
const ofSecond = randomUUIDv7();

beforeEach(async () => {
  database = await createEmptyDatabase();
  orm = await createOrm({ url: database.url });
  await migrate(database.url);
  await run(
    `insert into organization (id, name, slug) values ('${first}', 'First', 'first'), ('${second}', 'Second', 'second')`,
  );
  await run(`insert into "user" (id, email, mailbox, name) values ('${user}', 'a@example.org', 'a@example.org', 'A')`);
  await run(`insert into event (id, organization_id, name, slug, date_start, date_end)
    values ('${ofFirst}', '${first}', 'E', 'e', now(), now()), ('${ofSecond}', '${second}', 'E', 'e', now(), now())`);
});

afterEach(async () => {
  await orm.close(true);
  await database.drop();
});

const run = (statement: string) => orm.em.getConnection().execute(statement);

async function subscribe(eventId: string, organizationId?: string): Promise<string> {
  const id = randomUUIDv7();
  const named = organizationId === undefined ? ['', ''] : [', organization_id', `, '${organizationId}'`];
  await run(`insert into subscription (id, event_id, user_id, status${named[0]})
    values ('${id}', '${eventId}', '${user}', 'accepted'${named[1]})`);
  return id;
}

async function organizationOf(id: string): Promise<string> {
  const [row] = (await run(`select organization_id as id from subscription where id = '${id}'`)) as { id: string }[];
  return row?.id as string;
}

it('one that is written without it gets it from its event, and follows it', async () => {
  const id = await subscribe(ofFirst);
  expect(await organizationOf(id)).toBe(first);
  expect(await organizationOf(await subscribe(ofSecond, second))).toBe(second);
  await run(`update subscription set event_id = '${ofSecond}' where id = '${id}'`);
  expect(await organizationOf(id)).toBe(second);
});

it('those of an event that moves to another organization move along', async () => {
  const id = await subscribe(ofFirst);
  await run(`update event set organization_id = '${second}', slug = 'moved' where id = '${ofFirst}'`);
  expect(await organizationOf(id)).toBe(second);
  const [{ count }] = (await run(`select accepted_count as count from event where id = '${ofFirst}'`)) as [
    { count: number },
  ];
  expect(count).toBe(1);
});

it('one to an event that does not exist is refused by the foreign key, also if it names no organization', async () => {
  const refused = { code: '23503', constraint: 'subscription_event_id_foreign' };
  await expect(subscribe(randomUUIDv7())).rejects.toMatchObject(refused);
  await expect(subscribe(randomUUIDv7(), first)).rejects.toMatchObject(refused);
});

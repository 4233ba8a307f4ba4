import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/migrations.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { createEmptyDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let orm: Orm;
beforeEach(async () => {
  database = await createEmptyDatabase();
  orm = await createOrm({ url: database.url });
  await migrate(database.url, { list: migrations.filter(({ name }) => name < '0006') });
});
afterEach(async () => {
  await orm.close(true);
  await database.drop();
});

const run = (statement: string, values: unknown[] = []) => orm.em.getConnection().execute(statement, values);

/** Ids and times of accounts order as they were inserted: two of one millisecond would not. */
async function insertUser(email: string, verified: boolean): Promise<string> {
  await sleep(2);
  const id = randomUUIDv7();
  await run(`insert into "user" (id, email, name, verified_at) values (?, ?, 'Ada', ${verified ? 'now()' : 'null'})`, [
    id,
    email,
  ]);
  return id;
}

async function insertOrganization(name: string): Promise<string> {
  const id = randomUUIDv7();
  await run('insert into organization (id, name, slug) values (?, ?, ?)', [id, name, id]);
  return id;
}

async function join(organization: string, user: string, role: string): Promise<void> {
  await run('insert into membership (id, organization_id, user_id, role) values (?, ?, ?, ?)', [
    randomUUIDv7(),
    organization,
    user,
    role,
  ]);
}

/** A sign-up as it was before: with its membership and its line of the trail. */
async function signUp(email: string, organization: string, role: string): Promise<string> {
  const id = await insertUser(email, false);
  await join(organization, id, role);
  await run(
    `insert into audit_entry (id, organization_id, actor_id, subject_id, action) values (?, ?, ?, ?, 'user.signed_up')`,
    [randomUUIDv7(), organization, id, id],
  );
  return id;
}

const memberships = () => run('select organization_id, user_id, role from membership order by user_id');
const pending = () =>
  run('select user_id, name, organization_id, organization_name from pending_sign_up order by user_id');

test('what unproven sign-ups had joined or founded waits for their proof, with the links that were mailed', async () => {
  const [society, mine] = [await insertOrganization('Society'), await insertOrganization('Mine')];
  const owner = await insertUser('owner@example.org', true);
  await join(society, owner, 'owner');
  const member = await signUp('member@example.org', society, 'member');
  const founder = await signUp('founder@example.org', mine, 'owner');
  for (const user of [member, founder]) {
    await run(
      `insert into one_time_token (id, user_id, purpose, hash, expires_at) values (?, ?, 'verify_email', ?, now() + interval '1 day')`,
      [randomUUIDv7(), user, user],
    );
  }

  await migrate(database.url);

  expect(await memberships()).toEqual([{ organization_id: society, user_id: owner, role: 'owner' }]);
  const wishes = [
    { user_id: member, name: 'Ada', organization_id: society, organization_name: null },
    { user_id: founder, name: 'Ada', organization_id: null, organization_name: 'Mine' },
  ];
  expect(await pending()).toEqual(wishes);
  expect(await run('select id from organization')).toEqual([{ id: society }]);
  const tokens = await run(
    'select user_id, name, organization_id, organization_name from one_time_token order by user_id',
  );
  expect(tokens).toEqual(wishes);
});

test('an organization that others belong to or that has events stays, with its founder; so do imported memberships', async () => {
  const [joined, used, imported] = await Promise.all(['Joined', 'Used', 'Imported'].map(insertOrganization));
  const first = await signUp('first@example.org', joined as string, 'owner');
  const second = await signUp('second@example.org', used as string, 'owner');
  const other = await insertUser('other@example.org', true);
  await join(joined as string, other, 'member');
  await run(
    `insert into event (id, organization_id, name, slug, date_start, date_end) values (?, ?, 'E', 'e', now(), now())`,
    [randomUUIDv7(), used],
  );
  const third = await insertUser('third@example.org', false);
  await join(imported as string, third, 'owner');

  await migrate(database.url);

  expect(await memberships()).toEqual([
    { organization_id: joined, user_id: first, role: 'owner' },
    { organization_id: used, user_id: second, role: 'owner' },
    { organization_id: joined, user_id: other, role: 'member' },
    { organization_id: imported, user_id: third, role: 'owner' },
  ]);
  expect(await pending()).toEqual([]);
  expect(await run('select id from organization')).toHaveLength(3);
});

test('addresses get form NFC, unless another account has it', async () => {
  const plain = 'jos\u00e9@example.org';
  const taken = 'zo\u00eb@example.org';
  await insertUser(plain.normalize('NFD'), true);
  // one after the other, by the clock: spellings of one address that has no account in form NFC
  await insertUser('\u1e69@example.org'.normalize('NFD'), true);
  await insertUser('s\u0307\u0323@example.org', true);
  await insertUser(taken, true);
  await insertUser(taken.normalize('NFD'), true);

  await migrate(database.url);

  const stored = (await run('select email from "user" order by created_at, id')).map(({ email }) => email);
  expect(stored).toEqual([plain, '\u1e69@example.org', 's\u0307\u0323@example.org', taken, taken.normalize('NFD')]);
});

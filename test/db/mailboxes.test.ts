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
  await migrate(database.url, { list: migrations.filter(({ name }) => name < '0021') });
});
afterEach(async () => {
  await orm.close(true);
  await database.drop();
});

const run = (statement: string, values: unknown[] = []) => orm.em.getConnection().execute(statement, values);

async function insertUser(email: string, { verified = true, name = 'Ada', hash = null as string | null } = {}) {
  await sleep(2);
  const id = randomUUIDv7();
  await run(
    `insert into "user" (id, email, name, password_hash, verified_at) values (?, ?, ?, ?, ${verified ? 'now()' : 'null'})`,
    [id, email, name, hash],
  );
  return id;
}

const mailboxes = async (table = 'user') =>
  (await run(`select mailbox from "${table}" order by created_at, id`)).map(({ mailbox }) => mailbox);

test('every address gets its mailbox; of two that are one now, the proven keeps it, else the older', async () => {
  await insertUser('Ada@Example.ORG');
  await insertUser('bob@m\u0130nix.example');
  await insertUser('bob@minix.org');
  const unproven = await insertUser('c@b\u00fccher.example', { verified: false });
  await insertUser('C@xn--bcher-kva.example');
  await insertUser('d@xn--bcher-kva.example');
  const younger = await insertUser('D@b\u00fccher.example');
  // too long in ASCII
  const long = await insertUser(`e@${Array.from({ length: 25 }, () => '\u00fc\u00e4'.repeat(5)).join('.')}`);

  await migrate(database.url);

  expect(await mailboxes()).toEqual([
    'ada@example.org',
    expect.stringMatching(/^bob@xn--[a-z0-9-]+\.example$/),
    'bob@minix.org',
    unproven,
    'c@xn--bcher-kva.example',
    'd@xn--bcher-kva.example',
    younger,
    long,
  ]);
  const indexes = await run(`select indexname from pg_indexes where tablename in ('user', 'invitation')`);
  const names = indexes.map(({ indexname }) => indexname);
  expect(names).toContain('user_mailbox_unique');
  expect(names).not.toContain('user_email_lower_unique');
});

test('of two invitations that are one now, the newer stands', async () => {
  const organization = randomUUIDv7();
  await run(`insert into organization (id, name, slug) values (?, 'O', 'o')`, [organization]);
  const ids: string[] = [];
  for (const email of ['A@example.org', 'e@b\u00fccher.example', 'E@xn--bcher-kva.example']) {
    await sleep(2);
    ids.push(randomUUIDv7());
    await run(
      `insert into invitation (id, organization_id, email, role, expires_at) values (?, ?, ?, 'member', now() + interval '1 day')`,
      [ids.at(-1), organization, email],
    );
  }
  await migrate(database.url);
  expect(await mailboxes('invitation')).toEqual(['a@example.org', ids[1], 'e@xn--bcher-kva.example']);
});

test('a replica of the version before can go on inserting addresses in ASCII between the migrations', async () => {
  await migrate(database.url, { list: migrations.filter(({ name }) => name < '0021-mailboxes') });
  await insertUser('Late@Example.org');
  await insertUser('late@b\u00fccher.example');
  expect(await mailboxes()).toEqual(['late@example.org', null]);
  await migrate(database.url);
  expect(await mailboxes()).toEqual(['late@example.org', 'late@xn--bcher-kva.example']);
});

test('more rows than a statement fills, and a start that goes on where another was interrupted', async () => {
  await run(`insert into "user" (id, email, name)
    select gen_random_uuid(), 'U' || n || case when n % 2 = 0 then '@example.org' else '@b\u00fccher.example' end, 'U'
    from generate_series(1, 12000) n`);
  await migrate(database.url, { list: migrations.filter(({ name }) => name < '0021-mailboxes') });
  await run(`update "user" set mailbox = lower(email collate "C") where email = 'U2@example.org'`);
  await migrate(database.url);
  const [counts] = await run(
    `select count(*)::int as n, count(distinct mailbox)::int as boxes,
      count(*) filter (where mailbox like '%@xn--bcher-kva.example')::int as others from "user"`,
  );
  expect(counts).toEqual({ n: 12_000, boxes: 12_000, others: 6_000 });
});

test('a guest gets the name of their account with each subscription by a link; nobody else does', async () => {
  const organization = randomUUIDv7();
  const event = randomUUIDv7();
  await run(`insert into organization (id, name, slug) values (?, 'O', 'o')`, [organization]);
  await run(
    `insert into event (id, organization_id, name, slug, date_start, date_end) values (?, ?, 'E', 'e', now(), now())`,
    [event, organization],
  );
  const guest = await insertUser('guest@example.org', { name: 'Grace' });
  const account = await insertUser('account@example.org', { hash: 'x' });
  const member = await insertUser('member@example.org');
  await run(`insert into membership (id, organization_id, user_id, role) values (?, ?, ?, 'member')`, [
    randomUUIDv7(),
    organization,
    member,
  ]);
  for (const [user, proven] of [
    [guest, true],
    [guest, false],
    [account, true],
    [member, true],
  ]) {
    await sleep(2);
    await run(
      `insert into subscription (id, event_id, user_id, status, mailbox_proven) values (?, ?, ?, 'cancelled', ?)`,
      [randomUUIDv7(), event, user, proven],
    );
  }
  await migrate(database.url);
  const names = (await run('select guest_name from subscription order by created_at, id')).map((row) => row.guest_name);
  expect(names).toEqual(['Grace', null, null, null]);
});

import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { sweep } from '../../src/jobs/sweep.ts';
import { openOrm } from '../support/database.ts';
import { insertEvent, insertOrganization } from '../support/fixtures.ts';
import { holding } from '../support/locks.ts';
import { inTest } from '../support/shared.ts';
import { ago, retentionDays, sweptDatabase } from '../support/sweeping.ts';

const database = sweptDatabase();
const { run, count } = database;

describe('the batches of a sweep', () => {
  it('takes turns in batches, beside other processes, and waits for no lock', async () => {
    await run(
      `insert into audit_entry (id, action, created_at)
        select gen_random_uuid(), 'over ' || n, ${ago(30)} + n * interval '1 millisecond' from generate_series(1, 2300) n`,
    );
    await run(
      `insert into job (id, lane, kind, data, due_at, created_at)
        select gen_random_uuid(), 'account_mails', 'over', '{}', null, ${ago(30)} from generate_series(1, 1200) n`,
    );
    const blocker = await holding(database, `select from audit_entry where action = 'over 7' for update`);
    await run(`create function note_batch() returns trigger language plpgsql as $$
      declare n int;
      begin select count(*) into n from gone; if n > 500 then raise exception 'a batch of %', n; end if; return null; end $$`);
    await run(`create trigger note_batch after delete on audit_entry referencing old table as gone
      for each statement execute function note_batch()`);
    await Promise.all([
      sweep(new PostgresDatabase(database.orm), { retentionDays }),
      sweep(new PostgresDatabase(database.orm), { retentionDays }),
    ]);
    expect(await run('select action from audit_entry')).toEqual([{ action: 'over 7' }]);
    expect(await count('job')).toBe(0);
    await blocker.rollback();
    await sweep(new PostgresDatabase(database.orm), { retentionDays });
    expect(await count('audit_entry')).toBe(0);
  });

  it('makes batches that time out smaller, and deletes the other kinds meanwhile', async () => {
    const { orm: slow } = await inTest(openOrm({ url: database.url, poolSize: 2, statementTimeout: 400 }));
    await run(
      `insert into audit_entry (id, action, created_at) select gen_random_uuid(), 'over', ${ago(30)} from generate_series(1, 20)`,
    );
    // 20 rows take twice as long as a statement may
    await run(`create function dawdle() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.04); return old; end $$`);
    await run('create trigger dawdle before delete on audit_entry for each row execute function dawdle()');
    await run(
      `insert into guest_request (id, event_id, mailbox, email, name, expires_at)
      select gen_random_uuid(), ?, n::text, n::text, 'x', ${ago(1)} from generate_series(1, 3) n`,
      [(await insertEvent(database.orm, { organizationId: (await insertOrganization(database.orm)).id })).id],
    );
    expect(await sweep(new PostgresDatabase(slow), { retentionDays })).toEqual([]);
    expect([await count('audit_entry'), await count('guest_request')]).toEqual([0, 0]);
  });

  it('goes on past a kind whose rows cannot be deleted at all, and names it', async () => {
    const { orm: slow } = await inTest(openOrm({ url: database.url, poolSize: 2, statementTimeout: 100 }));
    await run(`insert into audit_entry (id, action, created_at) values (gen_random_uuid(), 'over', ${ago(30)})`);
    await run(`insert into idempotency_key (id, request, status, headers, body, created_at)
      values ('x', '', 200, '{}', '', ${ago(2)})`);
    await run(`create function dawdle() returns trigger language plpgsql as $$
      begin perform pg_sleep(10); return old; end $$`);
    await run('create trigger dawdle before delete on audit_entry for each row execute function dawdle()');
    const failures = await sweep(new PostgresDatabase(slow), { retentionDays });
    expect(failures.map(({ rows }) => rows)).toEqual(['audit_entry created_at']);
    expect([await count('audit_entry'), await count('idempotency_key')]).toEqual([1, 0]);
  });

  it('ends after the batch that is running when it is told to', async () => {
    await run(
      `insert into audit_entry (id, action, created_at) select gen_random_uuid(), 'over', ${ago(30)} from generate_series(1, 600)`,
    );
    await sweep(new PostgresDatabase(database.orm), { retentionDays, signal: AbortSignal.abort() });
    expect(await count('audit_entry')).toBe(600);
  });
});

it('a sweep deletes the questions that no form asks any more, an hour later', async () => {
  const { id: organizationId } = await insertOrganization(database.orm);
  const event = () => insertEvent(database.orm, { organizationId });
  const [one, other] = [await event(), await event()];
  const ask = async ({ id }: { id: string }, version: number, label: string) => {
    await run(
      `insert into form_content (organization_id, hash, questions) values (?, sha256(?::bytea), '[]') on conflict do nothing`,
      [organizationId, label],
    );
    await run(
      'insert into form_version (event_id, version, organization_id, hash) values (?, ?, ?, sha256(?::bytea))',
      [id, version, organizationId, label],
    );
  };
  await ask(one, 1, 'What do you eat?');
  await ask(one, 2, 'And drink?');
  await ask(other, 1, 'What do you eat?');
  const swept = async () => {
    await sweep(new PostgresDatabase(database.orm), { retentionDays });
    return await count('form_content');
  };
  await run('delete from form_version where event_id = ?', [one.id]);
  expect(await swept()).toBe(2);
  await run(`update form_content set unused_since = unused_since - interval '61 minutes'`);
  expect(await swept()).toBe(1);
  // an organization goes with all that is of it
  await run('delete from organization where id = ?', [organizationId]);
  expect([await count('form_content'), await count('form_version')]).toEqual([0, 0]);
});

import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { expiryRules } from '../../src/jobs/expired.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { insertEvent, insertMember, insertOrganization, insertSubscription, insertUser } from '../support/fixtures.ts';
import { ago, retentionDays, sweptDatabase } from '../support/sweeping.ts';

const database = sweptDatabase();
const { run, count } = database;

async function insertWebhook(organizationId: string): Promise<string> {
  const id = randomUUIDv7();
  await run(
    `insert into webhook (id, organization_id, url, kinds, description, status, created_by)
      values (?, ?, 'https://example.org/', '{event}', '', 'paused', ?)`,
    [id, organizationId, randomUUIDv7()],
  );
  return id;
}

const insertDeliveries = (webhook: string, number: number, at: string) =>
  run(
    `insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, duration_ms, created_at, change, seq)
      select gen_random_uuid(), ?, gen_random_uuid(), 'event.changed', n, 'failed', 1, ${at} + n * interval '1 ms', '{}', n
      from generate_series(1, ?::int) n`,
    [webhook, number],
  );

describe('a sweep', () => {
  it('deletes what is over, each kind by its own setting, and nothing else', async () => {
    const { id: userId, organizationId } = await insertMember(database.orm);
    const insert = (table: string, values: Record<string, string>) =>
      run(`insert into ${table} (${Object.keys(values).join()}) values (${Object.values(values).join()})`);
    const quoted = (text: string) => `'${text}'`;
    const id = () => quoted(randomUUIDv7());
    const token = (purpose: string, days: number) =>
      insert('one_time_token', {
        ...{ id: id(), user_id: quoted(userId), purpose: quoted(purpose), hash: quoted(purpose) },
        expires_at: ago(days),
      });
    await token('verify_email', -1);
    await token('reset_password', 0.001);
    await run(`insert into rate_limit values ('over', 1, ?), ('counts', 1, ?)`, [Date.now() - 1, Date.now() + 60_000]);
    const mails = { waits: ['now()', 40], 'given up': ['null', 8], forgotten: ['null', 10] } as const;
    for (const [kind, [due, days]] of Object.entries(mails)) {
      const mail = { id: id(), lane: `'account_mails'`, kind: quoted(kind), data: `'{}'` };
      await insert('job', { ...mail, due_at: due, created_at: ago(days) });
    }
    for (const days of [19, 21]) {
      await insert('audit_entry', { id: id(), action: quoted(`${days} days`), created_at: ago(days) });
      const times = { began_at: ago(days + 1), ended_at: ago(days) };
      await insert('former_membership', { id: id(), organization_id: quoted(organizationId), user_id: id(), ...times });
    }
    const living = { lives: [29, 'null'], idle: [32, 'null'], 'idle for long': [34, 'null'] } as const;
    const sessions = { ...living, ended: [40, ago(2)], 'ended long ago': [40, ago(4)] } as const;
    for (const [reason, [used, ended]] of Object.entries(sessions)) {
      await insert('session', {
        ...{ id: id(), user_id: quoted(userId), end_reason: quoted(reason), last_used_at: ago(used), ended_at: ended },
        expires_at: ago(-10),
      });
    }
    for (const days of [4, 6]) {
      await insert('invitation', {
        ...{ id: id(), organization_id: quoted(organizationId), role: `'member'` },
        ...{ email: quoted(`${days} days`), mailbox: quoted(`${days} days`) },
        expires_at: ago(days),
      });
    }
    for (const hours of [23, 25]) {
      await insert('idempotency_key', {
        ...{ id: quoted(`${hours} hours`), request: `''`, status: '200', headers: `'{}'`, body: `''` },
        created_at: ago(hours / 24),
      });
    }
    const webhook = await insertWebhook(organizationId);
    for (const days of [29, 31]) await insertDeliveries(webhook, days, ago(days));

    await sweep(new PostgresDatabase(database.orm), { retentionDays });
    const left = async (table: string, column: string) =>
      (await run<Record<string, unknown>>(`select ${column} from ${table} order by ${column}`)).map(
        (each) => each[column],
      );
    expect(await left('one_time_token', 'purpose')).toEqual(['verify_email']);
    expect(await left('rate_limit', 'key')).toEqual(['counts']);
    expect(await left('job', 'kind')).toEqual(['given up', 'waits']);
    expect(await left('audit_entry', 'action')).toEqual(['19 days']);
    expect([await count('former_membership'), await count('webhook_delivery')]).toEqual([1, 29]);
    expect(await left('session', 'end_reason')).toEqual(['ended', 'idle', 'lives']);
    expect(await left('invitation', 'email')).toEqual(['4 days']);
    expect((await left('idempotency_key', 'id')).map(String)).toEqual(['23 hours']);
    expect([await count('user'), await count('organization'), await count('membership')]).toEqual([1, 1, 1]);
  });

  it('deletes accounts that nobody proved, and keeps those with anything to lose', async () => {
    const { orm } = database;
    const organizationId = (await insertOrganization(orm)).id;
    const eventId = (await insertEvent(orm, { organizationId })).id;
    const signedUp = async (name: string, days: number, verified = false) => {
      const { id } = await insertUser(orm, { name, verified });
      await run(`insert into pending_sign_up (user_id, name, created_at) values (?, ?, ${ago(days)})`, [id, name]);
      return id;
    };
    await signedUp('forgotten', 8);
    await signedUp('young', 6);
    await signedUp('proven by an import', 8, true);
    const member = await signedUp('member by an import', 8);
    await run('insert into membership (id, organization_id, user_id, role) values (?, ?, ?, ?)', [
      ...[randomUUIDv7(), organizationId, member, 'member'],
    ]);
    await insertSubscription(orm, { eventId, userId: await signedUp('subscribed by an import', 8) });
    for (const [name, hours] of Object.entries({ 'asked again': 1, 'asked long ago': -1 })) {
      await run(
        `insert into one_time_token (id, user_id, purpose, hash, expires_at) values (?, ?, 'verify_email', ?, now() + make_interval(hours => ?))`,
        [randomUUIDv7(), await signedUp(name, 8), name, hours],
      );
    }
    const { id: imported } = await insertUser(orm, { name: 'imported', verified: false });
    await run(`update "user" set created_at = ${ago(900)}, updated_at = ${ago(900)} where id = ?`, [imported]);

    await sweep(new PostgresDatabase(orm), { retentionDays });
    const names = (await run<{ name: string }>('select name from "user" order by name')).map(({ name }) => name);
    expect(names).toEqual([
      ...['asked again', 'imported', 'member by an import', 'proven by an import', 'subscribed by an import', 'young'],
    ]);
    expect(await count('pending_sign_up')).toBe(4);
  });

  it('finds what is over by indexes', async () => {
    const { id: user, organizationId: organization } = await insertMember(database.orm);
    const { id: event } = await insertEvent(database.orm, { organizationId: organization });
    const { id: subscription } = await insertSubscription(database.orm, { eventId: event, userId: user });
    const id = 'gen_random_uuid()';
    for (const [columns, values] of [
      ['audit_entry (id, action)', `${id}, 'young'`],
      ['session (id, user_id, expires_at, ended_at)', `${id}, '${user}', now(), case when n % 2 = 0 then now() end`],
      [
        'invitation (id, organization_id, email, mailbox, role, expires_at)',
        `${id}, '${organization}', n::text, n::text, 'member', now()`,
      ],
      ['job (id, lane, kind, data)', `${id}, 'account_mails', 'waits', '{}'`],
      ['rate_limit', `n::text, 1, ${Date.now() + 60_000}`],
      ['idempotency_key (id, request, status, headers, body)', `n::text::bytea, '', 200, '{}', ''`],
      [
        'guest_request (id, event_id, mailbox, email, name, expires_at)',
        `${id}, '${event}', n::text, n::text, 'x', ${ago(-1)}`,
      ],
      [
        'guest_link (hash, subscription_id, nonce, key_id, expires_at)',
        `n::text, '${subscription}', 'n', n::text, ${ago(-1)}`,
      ],
      ['form_content (organization_id, hash, questions)', `'${organization}', sha256(n::text::bytea), '[]'`],
      [
        'form_version (event_id, version, organization_id, hash)',
        `'${event}', n, '${organization}', sha256(n::text::bytea)`,
      ],
      ['last_write', `${id}, '0/0', now()`],
    ])
      await run(`insert into ${columns} select ${values} from generate_series(1, 20000) n`);
    await insertDeliveries(await insertWebhook(organization), 20_000, ago(1));
    await run('analyze');
    for (const rule of expiryRules(retentionDays)) {
      const { sql, parameters } = rule.statement(500);
      const statement = { sql: `explain ${sql}`, parameters };
      const plan = (await new PostgresDatabase(database.orm).rows<Record<string, string>>(statement))
        .map((row) => row['QUERY PLAN'])
        .join('\n');
      // an empty table is read as a whole
      expect(
        plan.replaceAll(/Seq Scan on (change|one_time_token|former_membership|event e|subscription s)\b/g, ''),
        plan,
      ).not.toContain('Seq Scan');
    }
  });

  it('tells processes to forget a living session, and says nothing of dead ones', async () => {
    const { id: userId } = await insertUser(database.orm);
    const pool = await database.orm.driver.getConnection().getNativeClient();
    const listener = await pool.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload }) => heard.push(JSON.parse(String(payload)).session));
    await listener.query('listen access_changed');
    const [living, ended, idle] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
    const insert = (id: string, used: string, end: string) =>
      run(
        `insert into session (id, user_id, expires_at, last_used_at, ended_at) values (?, ?, now() + interval '1 day', ${used}, ${end})`,
        [...[id, userId]],
      );
    await insert(living, 'now()', 'null');
    await insert(ended, ago(60), ago(50));
    await insert(idle, ago(60), 'null');
    await sweep(new PostgresDatabase(database.orm), { retentionDays });
    expect(await count('session')).toBe(1);
    await run('delete from session where id = ?', [living]);
    await expect.poll(() => heard).toEqual([living]);
    listener.release(true);
  });
});

it('a sweep comes to all kinds, also beside one that never ends', async () => {
  // whoever deletes some has as many left
  await run(`insert into rate_limit (key, points, expire) select 'endless ' || n, 1, 0 from generate_series(1, 600) n`);
  await run(`create function endless() returns trigger language plpgsql as $$ begin
      insert into rate_limit (key, points, expire) select md5(random()::text), 1, 0 from gone; return null; end $$`);
  await run(`create trigger endless after delete on rate_limit referencing old table as gone
      for each statement execute function endless()`);
  try {
    for (let each = 0; each < 3; each += 1) {
      await run(`insert into audit_entry (id, action, created_at) values (gen_random_uuid(), 'over', ${ago(30)})`);
      await sweep(new PostgresDatabase(database.orm), { retentionDays, signal: AbortSignal.timeout(1_000) });
      expect(await count('audit_entry')).toBe(0);
    }
  } finally {
    await run('drop function endless() cascade');
    await run('delete from rate_limit');
  }
});

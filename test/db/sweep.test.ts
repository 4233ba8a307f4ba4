import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { sweep } from '../../src/db/sweep.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertUser } from '../support/fixtures.ts';

test('sweep removes tokens, counters and given up mails that are over, and nothing else', async () => {
  const { orm, drop } = await createTestDatabase();
  try {
    const { id } = await insertUser(orm);
    const em = orm.em.fork();
    for (const [purpose, minutes] of [
      ['verify_email', 1],
      ['reset_password', -1],
    ] as const) {
      await em.execute(
        `insert into one_time_token (id, user_id, purpose, hash, expires_at) values (?, ?, ?, ?, now() + make_interval(mins => ?))`,
        [randomUUIDv7(), id, purpose, purpose, minutes],
      );
    }
    await em.execute(`insert into rate_limit values ('over', 1, ?), ('counts', 1, ?)`, [
      Date.now() - 1,
      Date.now() + 60_000,
    ]);
    for (const [kind, due, days] of [
      ['waits', 'now()', 40],
      ['given up', 'null', 29],
      ['forgotten', 'null', 31],
    ] as const) {
      const created = `now() - interval '${days} days'`;
      await em.execute(
        `insert into mail_job (id, kind, data, due_at, created_at) values (?, ?, '{}', ${due}, ${created})`,
        [randomUUIDv7(), kind],
      );
    }
    await sweep(orm);
    expect(await em.execute('select purpose from one_time_token')).toEqual([{ purpose: 'verify_email' }]);
    expect(await em.execute('select key from rate_limit')).toEqual([{ key: 'counts' }]);
    expect(await em.execute('select kind from mail_job order by kind')).toEqual([
      { kind: 'given up' },
      { kind: 'waits' },
    ]);
  } finally {
    await drop();
  }
});

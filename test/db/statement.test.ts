import type { PoolClient } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import {
  cancelRunning,
  PostgresDatabase,
  type Reading,
  type ReadOptions,
  resultOf,
  type Statement,
} from '#postgres-access';
import { plannedOnce } from '../../src/engine/planner.ts';
import { ClientWaits, type Requester } from '../../src/kernel/request.ts';
import { DatabaseShare, SharedDatabase } from '../../src/kernel/turns/database-share.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { connectTo, createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';
import { sql } from '../support/sql.ts';

const poolSize = 3;
const database = await shared(createTestDatabase({ poolSize }));
const pool = await database.orm.em.getConnection().getNativeClient();

const asking = (options: ReadOptions) => (statement: Statement<never>) =>
  new PostgresDatabase(database.orm).rows<Record<string, unknown>>(statement, options);
const [prepared, set, plain] = [asking({ prepared: true }), asking(plannedOnce), asking({})];
const driver = async ({ sql: text, parameters }: Statement) =>
  (await pool.query<Record<string, unknown>>({ text, values: [...parameters] })).rows;
const selected = (value: string) => sql`select ${value}::text as value, pg_backend_pid() as pid`;

const ways = { 'that is kept': prepared, 'that is planned once': set, 'that is not kept': plain };
describe.each(Object.entries(ways))('a statement %s', (_name, ask) => {
  it('gives what the driver’s own query gives: values of every type, null, names and their order', async () => {
    const statement = (key: number) => sql`
      select 1 as "two words", 2::bigint as big, 1.50::numeric as number, 0.1::float8 as float, true as yes, null::text as nothing,
        ''::text as empty, ${'naïve ☃ 𝒳 " \\ \u0001'}::text as text, '{"a":[1,null]}'::jsonb as json, array['a b', null, '"'] as texts,
        array[1, 2] as numbers, '2026-03-01 12:30:15.123456+02'::timestamptz as moment, 'a'::"char" as letter, '\\x00ff'::bytea as bytes,
        ${true}::boolean as flag, ${null}::text as absent, ${undefined}::text as missing, ${key}::int as key, '{}'::int[] as none
      from generate_series(1, 2)`;
    const expected = await driver(statement(1));
    expect(expected).toHaveLength(2);
    for (let time = 0; time < 4; time += 1) {
      const found = await ask(statement(1));
      expect(found).toEqual(expected);
      expect(Object.keys(found[0] ?? {})).toEqual(Object.keys(expected[0] ?? {}));
    }
    expect(await ask(sql`select 1 as n where ${false}`)).toEqual([]);
  });

  it('takes values of every kind as the driver’s own query does, lists included', async () => {
    const statement = sql`select ${[3, 1]}::int[] as numbers, ${['a "b" \\', null, '', '{,}', 'ﬂ']}::text[] as texts, ${[]}::uuid[] as none,
      ${new Date('2026-03-01T10:30:15.123Z')}::timestamptz as moment, ${Buffer.from([0, 255])}::bytea as bytes, ${{ a: [1] }}::jsonb as json,
      ${12345678901234567890n}::numeric as big, ${1.5}::float8 as float`;
    const expected = await driver(statement);
    for (let time = 0; time < 2; time += 1) expect(await ask(statement)).toEqual(expected);
  });

  it('with a value that cannot be sent fails alone', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const failing = ask(sql`select ${circular as never}::jsonb as json`);
    const fine = Promise.all(Array.from({ length: 6 }, (_, index) => ask(selected(String(index)))));
    await expect(failing).rejects.toThrow('circular');
    expect((await fine).flat().map((each) => each.value)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('may give no rows by its nature', async () => {
    await database.execute('create table if not exists filling (a int)');
    for (let time = 0; time < 3; time += 1) expect(await ask(sql`insert into filling values (${time})`)).toEqual([]);
    for (let time = 0; time < 2; time += 1)
      expect(await ask(sql`delete from filling where a < 3 returning a`)).toHaveLength(time === 0 ? 3 : 0);
  });

  it('gives each of many that are asked at once its own rows', async () => {
    const values = Array.from({ length: 60 }, (_, index) => `value ${index}`);
    const found = await Promise.all(values.map((value) => ask(selected(value))));
    expect(found.map((each) => each.map((row) => row.value))).toEqual(values.map((value) => [value]));
    expect(new Set(found.map(([row]) => row?.pid)).size).toBeGreaterThan(1);
  });
});

it('columns that change while it is kept make PostgreSQL refuse it, and nothing is read as what it is not', async () => {
  await database.execute('create table changing (a int)');
  await database.execute('insert into changing values (7)');
  const ask = () => prepared(sql`select * from changing where ${true}`);
  // on every connection
  await Promise.all(Array.from({ length: 12 }, ask));
  await database.execute(`alter table changing alter a type text using 'seven'`);
  await expect(ask()).rejects.toThrow('cached plan must not change result type');
  // those that come anew read what it is now
  const clients = await Promise.all(Array.from({ length: poolSize }, () => pool.connect()));
  for (const client of clients) client.release(true);
  expect(await ask()).toEqual([{ a: 'seven' }]);
});

describe('a failure', () => {
  const quotient = (by: number) => prepared(sql`select 10 / ${by}::int as quotient`);

  it('while it runs leaves the connection as it was', async () => {
    for (const by of [0, 2, 0, 5]) {
      if (by > 0) expect(await quotient(by)).toEqual([{ quotient: 10 / by }]);
      else await expect(quotient(by)).rejects.toMatchObject({ code: '22012' });
    }
  });

  it('of a value leaves the statement as it was', async () => {
    const ask = (value: string) => prepared(sql`select ${value}::int as number, 'x' as beside`);
    for (let time = 0; time < 4; time += 1) await expect(ask('none')).rejects.toMatchObject({ code: '22P02' });
    expect(await ask('4')).toEqual([{ number: 4, beside: 'x' }]);
  });

  it('to read the statement is told each time', async () => {
    for (let time = 0; time < 2; time += 1) {
      await expect(prepared(sql`select ${1}::int from nowhere`)).rejects.toMatchObject({ code: '42P01' });
    }
  });
});

/** Every value that was read, and a value that cannot be. */
const read: string[] = [];
const getTypeParser = () => (text: string) => {
  if (text === 'unreadable') throw new TypeError('no such value');
  read.push(text);
  return text;
};
const client = await shared(connectTo(database.url, { types: { getTypeParser } }));

describe('on a reserved connection', () => {
  const shares = { userShare: 100, organizationShare: 100, patience: 5_000 };
  const all = new SharedDatabase(pool, { ...shares, largeValueBytes: 64_000_000 });
  const asker = { viewer: { userId: 'a' }, waits: new ClientWaits(), usage: new Usage() } as unknown as Requester;
  /** Runs it for a request of its own. */
  const run = async (
    name: string,
    text: string,
    { endsEarly, ...reading }: Reading & Pick<ReadOptions, 'endsEarly'> = {},
  ) => {
    const share = new DatabaseShare(asker, all);
    try {
      return (
        await resultOf(client, { name, sql: text, parameters: [] }, { loading: share.load(endsEarly), ...reading })
      ).rows;
    } finally {
      share.end();
    }
  };

  /** What the statement fails with, and what the same connection says next. */
  async function failure(name: string, text: string): Promise<unknown> {
    const [failed, next] = await Promise.allSettled([run(name, text), run(`next_${name}`, `select 'fine' as next`)]);
    expect(next).toEqual({ status: 'fulfilled', value: [{ next: 'fine' }] });
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: '1' }]);
    return failed.status === 'rejected' ? failed.reason : failed.value;
  }

  const rows = (count: number) => `select repeat('0', 1000000) as long from generate_series(1, ${count})`;

  it.each(['', 'kept'])('a statement (name: "%s") of over 16 MB fails, and the rest is not even read', async (name) => {
    expect(await run(`${name}15`, rows(15))).toHaveLength(15);
    for (let time = 0; time < 2; time += 1) {
      read.length = 0;
      expect(await failure(name, rows(40))).toMatchObject({
        code: 'INVALID_QUERY',
        detail: expect.stringContaining('16 MB'),
      });
      expect(read.filter((text) => text.length === 1_000_000)).toHaveLength(15);
    }
  });

  it('one that fails after some rows, or whose value cannot be read, fails alone', async () => {
    expect(await failure('zero', 'select 1 / (5 - n) as value from generate_series(1, 9) n')).toMatchObject({
      code: '22012',
    });
    const unreadable = `select case n when 3 then 'unreadable' else 'x' end as value from generate_series(1, 9) n`;
    expect(await failure('value', unreadable)).toMatchObject({ message: 'no such value' });
    expect(await failure('both', `${rows(40)} n where 1 / (30 - n) < 2`)).toMatchObject({ code: '22012' });
  });

  describe('whose rows may end early', () => {
    const early = async (text: string) => {
      const endsEarly = vi.fn();
      const found = await run('', text, { endsEarly });
      return [found.length, endsEarly.mock.calls.length];
    };

    it('does so before the row that makes a page too large, and says so; but it has at least one', async () => {
      expect(await early(rows(3))).toEqual([3, 0]);
      expect(await early(rows(4))).toEqual([3, 1]);
      expect(await early(rows(40))).toEqual([3, 1]);
      expect(await early(`select repeat('0', 5000000) as long from generate_series(1, 3)`)).toEqual([1, 1]);
      expect(await early('select 1 as one where false')).toEqual([0, 0]);
      expect(await early('select n from generate_series(1, 5000) n')).toEqual([5000, 0]);
    });

    it('measures what it becomes in JSON', async () => {
      const quotes = `select repeat('"', 100000) as quoted from generate_series(1, 30)`;
      expect(await early(quotes)).toEqual([19, 1]);
      const controls = `select repeat(chr(1), 100000) as quoted from generate_series(1, 30)`;
      expect(await early(controls)).toEqual([6, 1]);
    });

    it('can be stopped once nobody keeps what arrives: that is no failure', async () => {
      const stop = vi.fn(() => void cancelRunning(client as unknown as PoolClient));
      // each row takes a while
      const slow = `${rows(40)} n where pg_sleep(case when n > 8 then 1 else 0 end) is not null`;
      const started = performance.now();
      expect(await run('', slow, { endsEarly: () => undefined, stop })).toHaveLength(3);
      expect(performance.now() - started).toBeLessThan(20_000);
      expect(stop).toHaveBeenCalledTimes(1);
      expect(await run('', `select 'fine' as next`)).toEqual([{ next: 'fine' }]);
    });

    it('does not hide a failure', async () => {
      await expect(early(`${rows(40)} n where 1 / (30 - n) < 2`)).rejects.toMatchObject({ code: '22012' });
    });
  });
});

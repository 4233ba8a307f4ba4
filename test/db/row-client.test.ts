import { Socket } from 'node:net';
import pg, { type Pool, type Submittable } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowClient } from '../../src/domain/row-client.ts';
import { Statement } from '../../src/domain/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A socket whose data comes in chunks of this many bytes. */
class ChoppedSocket extends Socket {
  readonly #size: number;

  constructor(size: number) {
    super();
    this.#size = size;
  }

  override emit(event: string, ...args: unknown[]): boolean {
    const [data] = args;
    if (event !== 'data' || !Buffer.isBuffer(data)) return super.emit(event as 'data', ...(args as [Buffer]));
    for (let at = 0; at < data.length; at += this.#size) super.emit('data', data.subarray(at, at + this.#size));
    return true;
  }
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe.each([1, 2, 3, 5, 7, 64, 1000, 1_000_000])('what comes in chunks of %i bytes', (size) => {
  let pool: Pool;
  const notices: (string | undefined)[] = [];
  const news: (string | undefined)[] = [];
  beforeAll(() => {
    // one connection: what a statement leaves behind is there for the next
    const options = { max: 1, Client: RowClient, stream: () => new ChoppedSocket(size) };
    pool = new pg.Pool({ connectionString: database.url, ...options });
    pool.on('connect', (client) => {
      client.on('notice', ({ message }) => notices.push(message));
      client.on('notification', ({ payload }) => news.push(payload));
    });
  });
  afterAll(() => pool.end());

  const text = 'select n, n::text || $1 as text, null as nothing, repeat($2, n) as long from generate_series(1, 30) n';
  const expected = Array.from({ length: 30 }, (_, index) => {
    const n = index + 1;
    return { n, text: `${n} naïve ☃`, nothing: null, long: 'é𝒳"'.repeat(n) };
  });
  const values = [' naïve ☃', 'é𝒳"'];

  it.each([
    ['kept', new Statement('kept', text)],
    ['not kept', new Statement('', text)],
  ])('gives the rows of a statement that is %s, between those of the driver’s own queries', async (_, statement) => {
    for (let time = 0; time < 3; time += 1) {
      expect(await statement.run(pool, values)).toEqual(expected);
      expect((await pool.query(text, values)).rows).toEqual(expected);
    }
  });

  it('gives no rows where there are none, and rows without columns', async () => {
    expect(await new Statement('', 'select 1 as one where false').run(pool, [])).toEqual([]);
    expect(await new Statement('', 'select from generate_series(1, 3)').run(pool, [])).toEqual([{}, {}, {}]);
  });

  it('fails where PostgreSQL fails after some rows, and that statement alone', async () => {
    const failing = new Statement('', 'select 1 / (5 - n) as value from generate_series(1, 9) n');
    const fine = [
      () => new Statement('', 'select 2 as n').run(pool, []),
      async () => (await pool.query('select 2 as n')).rows,
    ];
    for (const next of [...fine, ...fine]) {
      const [first, second] = await Promise.allSettled([failing.run(pool, []), next()]);
      expect(first).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      expect(second).toEqual({ status: 'fulfilled', value: [{ n: 2 }] });
    }
  });

  it('gives the driver the rows of its own queries after one that failed on the same connection', async () => {
    // a pool that lets none go: the pool itself drops a connection whose query failed
    const client = await pool.connect();
    const query = (execution: Submittable) =>
      new Promise((resolve, reject) => {
        const callback = (error: Error | null, rows: unknown) => (error ? reject(error) : resolve(rows));
        client.query(Object.assign(execution, { callback }));
      });
    const one = { query, options: {} } as unknown as Pool;
    try {
      await expect(new Statement('', 'select 1 / (3 - n) from generate_series(1, 5) n').run(one, [])).rejects.toThrow();
      expect((await client.query('select 4 as four')).rows).toEqual([{ four: 4 }]);
      expect(await new Statement('', 'select 5 as five').run(one, [])).toEqual([{ five: 5 }]);
    } finally {
      client.release();
    }
  });

  it('leaves to the driver what is not a row: notices among the rows, news', async () => {
    await pool.query(`create or replace function say(n int) returns int language plpgsql as
      $$ begin raise notice 'said %', n; perform pg_notify('news', n::text); return n; end $$`);
    await pool.query('listen news');
    notices.length = 0;
    const rows = await new Statement('', 'select say(n) as n from generate_series(1, 3) n').run(pool, []);
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(notices).toEqual(['said 1', 'said 2', 'said 3']);
    await pool.query('select 1');
    expect(news).toEqual(['1', '2', '3']);
  });
});

it('gives a row of many megabytes', async () => {
  const pool: Pool = await database.orm.em.getConnection().getNativeClient();
  const [row] = await new Statement('', `select repeat('0123456789', 3000000) as long, 7 as after`).run(pool, []);
  expect(row).toEqual({ long: '0123456789'.repeat(3_000_000), after: 7 });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import type { Orm } from '../../src/db/orm.ts';
import type { Database, UnitOfWork } from '../../src/engine/database.ts';
import { answers } from '../../src/engine/transaction.ts';
import { startBreakable } from '../support/breakable.ts';
import { createTestDatabase, openOrm, type TestDatabase } from '../support/database.ts';
import { startPgbouncer } from '../support/installed-programs.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { lacks } from '../support/programs.ts';
import { shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

const settings = { poolSize: 1, statementTimeout: 5_000, writeTimeout: 9_000 };
const timeout = sql`select current_setting('statement_timeout') as set`;
/** A value that the driver cannot send. */
const circular: Record<string, unknown> = {};
circular.self = circular;

async function timeouts(orm: Orm): Promise<unknown[]> {
  const db = new PostgresDatabase(orm);
  const outside = async () => (await db.row<{ set: string }>(timeout))?.set;
  const inside = await db.transaction(async (unit) => (await unit.row<{ set: string }>(timeout))?.set);
  return [inside, await outside()];
}

const database = await shared(createTestDatabase(settings));
const pool = await database.orm.driver.getConnection().getNativeClient();

it('the transactions of the service keep the plans of statements with values, and not those of long texts', async () => {
  const long = sql`select ${1}::int as long ${raw(`-- ${'y'.repeat(5_000)}`)}`;
  await new PostgresDatabase(database.orm).transaction(async (unit) => {
    for (const value of [1, 2]) await unit.rows(sql`select ${value}::int as kept`);
    await unit.rows(long);
  });
  const { rows } = await pool.query<{ statement: string; uses: number }>(
    'select statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements',
  );
  expect(rows).toContainEqual({ statement: 'select $1::int as kept', uses: 2 });
  expect(rows.filter(({ statement }) => statement.includes('yyy'))).toEqual([]);
});

describe('the statements of a transaction', () => {
  let database: TestDatabase;
  let orm: Orm;
  let db: Database;
  /** Whatever arrived at the database in one piece: a statement that waits for an answer begins another one. */
  let pieces = 0;
  beforeAll(async () => {
    database = await shared(createTestDatabase());
    const counting = startBreakable(database.url, (_, upstream) => ({
      toServer: (bytes) => {
        pieces += 1;
        upstream.write(bytes);
      },
    }));
    const { url } = await shared(counting);
    ({ orm } = await shared(openOrm({ ...settings, url })));
    db = new PostgresDatabase(orm);
    await db.transaction((unit) => unit.run(sql`create table noted (number int primary key)`));
  });

  async function roundTrips(work: (unit: UnitOfWork) => Promise<unknown>): Promise<number> {
    pieces = 0;
    await db.transaction(work);
    return pieces;
  }
  const noted = () => database.execute<{ number: number }>('select number from noted order by number');
  const note = (number: number) => sql`insert into noted values (${number})`;

  it('that nobody waits for take no round trips of their own', async () => {
    expect(await roundTrips(async () => undefined)).toBe(1);
    const together = () => db.transaction((unit) => answers(unit.row(timeout), unit.row(timeout)));
    await together();
    const trips = await roundTrips(async (unit) => {
      expect(await answers(unit.row(timeout), unit.row(timeout))).toEqual([{ set: '9s' }, { set: '9s' }]);
      for (const number of [1, 2]) await unit.run(note(number));
    });
    expect(trips).toBe(2);
    expect(await noted()).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it('are all undone with the error of one that nobody waited for', async () => {
    for (const seen of [timeout, null]) {
      const failing = db.transaction(async (unit) => {
        for (const number of [3, 3]) await unit.run(note(number));
        // fails as well, because of the one before it: whoever sees it here, such as the log, learns why
        if (seen) await expect(unit.row(seen)).rejects.toMatchObject({ code: '23505' });
      });
      await expect(failing).rejects.toMatchObject({ code: '23505' });
    }
    expect(await noted()).not.toContainEqual({ number: 3 });
    expect(await timeouts(orm)).toEqual(['9s', '5s']);
  });

  it('that were sent together fail with the error of the first', async () => {
    const failing = db.transaction((unit) => answers(unit.row(sql`select 1 / 0`), unit.row(sql`select 'x'::int`)));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });

  it('never leave a transaction that says it was committed and was not', async () => {
    const caught = db.transaction(async (unit) => {
      await unit.run(note(5));
      await unit.row(sql`select 1 / 0`).catch(() => undefined);
    });
    await expect(caught).rejects.toThrow('rolled back');
    expect(await noted()).not.toContainEqual({ number: 5 });
  });

  it('are all undone if the driver cannot send one that nobody waits for', async () => {
    const failing = db.transaction(async (unit) => {
      await unit.run(note(7));
      await unit.run(sql`select ${circular}::text`);
    });
    await expect(failing).rejects.toThrow('circular');
    expect(await noted()).not.toContainEqual({ number: 7 });
  });

  it('never run once it has ended, when its connection may be in the transaction of another', async () => {
    const units: UnitOfWork[] = [];
    await db.transaction(async (unit) => void units.push(unit));
    const failing = db.transaction(async (unit) => {
      units.push(unit);
      throw new Error('ours');
    });
    await expect(failing).rejects.toThrow('ours');
    await db.transaction(async (other) => {
      await other.run(note(8));
      for (const unit of units) await expect(unit.row(sql`select 1 / 0`)).rejects.toThrow('has ended');
    });
    expect(await noted()).toContainEqual({ number: 8 });
  });

  it('see what was committed while the one before them waited for its lock', async () => {
    await database.execute('delete from noted; insert into noted values (0)');
    const holder = await holding(database, 'select from noted where number = 0 for update');
    const waiting = db.transaction(async (unit) => {
      const [, found] = await answers(
        unit.row(sql`select from noted where number = 0 for update`),
        unit.rows(sql`select number from noted where number = 6`),
      );
      return found;
    });
    await untilLocked(database);
    await holder.execute('insert into noted values (6)');
    await holder.commit();
    expect(await waiting).toEqual([{ number: 6 }]);
  });
});

describe.skipIf(lacks('pgbouncer'))('the transactions of the service behind PgBouncer', () => {
  let orm: Orm;
  beforeAll(async () => {
    const own = await shared(createTestDatabase());
    const url = (await shared(startPgbouncer(own.url))).urlOf(own.url);
    ({ orm } = await shared(openOrm({ url, pooler: 'transaction-unnamed', ...settings })));
  });

  it('have their own statement timeout, to their end and no longer', async () => {
    expect(await timeouts(orm)).toEqual(['9s', '5s']);
  });

  it('run one after the other, those that nobody waits for as well', async () => {
    const warnings: unknown[] = [];
    const warned = (warning: Error) => warnings.push(warning.message);
    process.on('warning', warned);
    const found = await new PostgresDatabase(orm).transaction(async (unit) => {
      await unit.run(sql`create temporary table noted (number int) on commit drop`);
      await unit.run(sql`insert into noted values (1)`);
      return await answers(unit.row(timeout), unit.row(sql`select number from noted`));
    });
    expect(found).toEqual([{ set: '9s' }, { number: 1 }]);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  it('are all undone if the driver cannot send one that nobody waits for', async () => {
    const db = new PostgresDatabase(orm);
    const named = sql`select from organization where slug = 'unsent'`;
    const failing = db.transaction(async (unit) => {
      await unit.run(sql`insert into organization (id, name, slug) values (gen_random_uuid(), 'Ours', 'unsent')`);
      await unit.run(sql`select ${circular}::text`);
    });
    await expect(failing).rejects.toThrow('circular');
    expect(await db.row(named)).toBeUndefined();
  });

  it('leave no statement behind in the session of others', async () => {
    await new PostgresDatabase(orm).transaction(async (unit) => {
      for (const value of [1, 2]) await unit.rows(sql`select ${value}::int as kept`);
    });
    const found = sql`select count(*)::int as count from pg_prepared_statements where statement like '%as kept'`;
    expect(await new PostgresDatabase(orm).row(found)).toEqual({ count: 0 });
  });
});

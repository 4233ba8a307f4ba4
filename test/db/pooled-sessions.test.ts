import pg, { type Pool } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginning, PostgresDatabase, SessionClient } from '#postgres-access';
import { toDomainError } from '../../src/db/errors.ts';
import type { Orm } from '../../src/db/orm.ts';
import { Organization } from '../../src/domain/organization/organization.entity.ts';
import { createTestDatabase, openOrm, type TestDatabase } from '../support/database.ts';
import { type Pooler, startPgbouncer } from '../support/installed-programs.ts';
import { lacks } from '../support/programs.ts';
import { shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

const name = (row: object | undefined) => Object.values(row ?? {})[0];

const database = await shared(createTestDatabase());

describe('a connection to PostgreSQL itself', () => {
  it('has the settings from its start', async () => {
    expect(name((await database.orm.connections.primary.query('show "TimeZone"')).rows[0])).toBe('UTC');
  });

  it('sends one statement for a read, and nothing beside it', async () => {
    const log: string[] = [];
    const client = new SessionClient({ connectionString: database.url, session: { statement_timeout: 5_000 } });
    await client.connect();
    const wire = (client as unknown as { connection: { stream: { write(bytes: Buffer): boolean } } }).connection.stream;
    const write = wire.write.bind(wire);
    wire.write = (bytes) => {
      log.push(String.fromCharCode(bytes[0] as number));
      return write(bytes);
    };
    await client.query('select $1::int', [1]);
    await client.query('begin');
    await client.query('commit');
    // Parse, Bind, Describe, Execute, Sync, and two plain queries
    expect(log.join('')).toBe('PBDESQQ');
    await client.end();
  });
});

describe.skipIf(lacks('pgbouncer'))('a connection through PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let orm: Orm;
  let pool: Pool;
  beforeAll(async () => {
    database = await shared(createTestDatabase());
    pooler = await shared(startPgbouncer(database.url));
    const name = new URL(database.url).pathname.slice(1);
    await database.execute(`alter database "${name}" set "TimeZone" = 'Asia/Tokyo'`);
    await database.execute(`alter database "${name}" set "DateStyle" = 'SQL, DMY'`);
    const url = pooler.urlOf(database.url);
    const timeouts = { statementTimeout: 400, lockTimeout: 300, idleInTransactionTimeout: 500 };
    ({ orm } = await shared(openOrm({ url, pooler: 'transaction-unnamed', poolSize: 10, ...timeouts })));
    pool = orm.connections.primary;
  });

  const settings = `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' '
    || current_setting('idle_in_transaction_session_timeout') || ' ' || current_setting('TimeZone') as found`;
  const ours = '400ms 300ms 500ms UTC';
  const failureOf = (asked: Promise<unknown>) => asked.then(() => null, toDomainError);

  it('gives each statement the settings, whoever sends it', async () => {
    const kept = sql`${raw(settings)}, ${1}::int as kept`;
    const asked = Array.from({ length: 200 }, async (_, index) => {
      if (index % 4 === 0) return (await pool.query(settings)).rows[0].found;
      if (index % 4 === 1) return (await pool.query({ name: 'named', text: settings })).rows[0].found;
      if (index % 4 === 2) return name((await orm.em.fork().execute(settings))[0]);
      return (await new PostgresDatabase(orm).rows<{ found: string }>(kept, { prepared: true }))[0]?.found;
    });
    expect(new Set(await Promise.all(asked))).toEqual(new Set([ours]));
  });

  it('gives transactions the settings to their end, also what the ORM sends in them', async () => {
    await new PostgresDatabase(orm).transaction(async (unit) => {
      expect(name(await unit.row(sql`${raw(settings)}`))).toBe(ours);
      unit.em.create(Organization, { id: crypto.randomUUID(), slug: 'in-a-transaction', name: 'O', signup: 'open' });
      await unit.em.flush();
      expect(name((await unit.em.execute(settings))[0])).toBe(ours);
    });
    expect((await pool.query(`select name from organization where slug = 'in-a-transaction'`)).rows).toEqual([
      { name: 'O' },
    ]);
  });

  it('prints timestamps in UTC, whatever the zone and style of the database', async () => {
    const text = sql`select timestamptz '2026-01-31 10:00:00.12Z' as at`;
    expect(await new PostgresDatabase(orm).rows(text)).toEqual([{ at: '2026-01-31 10:00:00.12+00' }]);
  });

  it('leaves nothing in the sessions of others', async () => {
    await Promise.all(Array.from({ length: 50 }, () => pool.query('select 1')));
    const stranger = new pg.Pool({ connectionString: pooler.urlOf(database.url), max: 5 });
    const found = await Promise.all(Array.from({ length: 20 }, () => stranger.query(settings)));
    expect(new Set(found.map((each) => each.rows[0].found))).toEqual(new Set(['0 0 0 Asia/Tokyo']));
    const names = 'select name from pg_prepared_statements';
    const kept = await Promise.all(Array.from({ length: 20 }, () => stranger.query(names)));
    expect(kept.flatMap(({ rows }) => rows)).toEqual([]);
    await stranger.end();
  });

  it('ends a statement that takes too long, in and out of a transaction', async () => {
    expect(await failureOf(pool.query('select pg_sleep(5)'))).toMatchObject({ cause: { code: '57014' } });
    const slow = sql`select pg_sleep(${5})`;
    expect(await failureOf(new PostgresDatabase(orm).rows(slow))).toMatchObject({ cause: { code: '57014' } });
    const inTransaction = new PostgresDatabase(orm).transaction((unit) => unit.rows(slow));
    expect(await failureOf(inTransaction)).toMatchObject({ cause: { code: '57014' } });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('ends a statement that waits too long for a lock, and a transaction that does nothing', async () => {
    const holder = await pool.connect();
    await holder.query(beginning(holder));
    await holder.query('lock table organization in access exclusive mode');
    expect(await failureOf(pool.query('select from organization'))).toMatchObject({ cause: { code: '55P03' } });
    holder.on('error', () => undefined);
    // the holder does nothing for half a second, which ends its transaction
    await expect.poll(() => failureOf(pool.query('select from organization'))).toBeNull();
    holder.release(true);
  });

  it('tells failures from answers, in whatever order they come', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const divided = sql`select 60 / (${n % 3} - 1)::int as result, ${n}::int as n`;
        const [row] = await new PostgresDatabase(orm)
          .rows<{ result: number; n: number }>(divided)
          .catch(() => [{ result: null, n }]);
        return [row?.n, row?.result];
      }),
    );
    expect(outcomes).toEqual(outcomes.map((_, n) => [n, [-60, null, 60][n % 3]]));
  });
});

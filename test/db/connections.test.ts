import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { readSettings } from '../../src/config/settings.ts';
import { toDomainError } from '../../src/db/errors.ts';
import { serviceConnections } from '../../src/db/options.ts';
import { Organization } from '../../src/domain/organization/organization.entity.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { startBreakable } from '../support/breakable.ts';
import { createTestDatabase, openOrm } from '../support/database.ts';
import { serveInTest } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

const organization = randomUUID();

const database = await shared(createTestDatabase());
await run(`insert into organization (id, name, slug) values ('${organization}', 'O', 'o')`);
await run(`insert into "user" (id, mailbox, name) values (gen_random_uuid(), 'a@example.org', 'A')`);

const one = sql<{ one: number }>`select 1 as one`;

function run(statement: string) {
  return new PostgresDatabase(database.orm).rows(sql`${raw(statement)}`);
}

const errorOf = (action: Promise<unknown>): Promise<unknown> => action.then(() => null, toDomainError);

const event = (further: string) =>
  `insert into event (id, organization_id, name, slug, date_start, date_end, status, capacity)
    values (gen_random_uuid(), '${organization}', 'E', 'e', ${further})`;

describe('toDomainError', () => {
  it.each([
    ['CONFLICT', undefined, `insert into organization (id, name, slug) values (gen_random_uuid(), 'P', 'o')`],
    ['CONFLICT', undefined, `insert into "user" (id, mailbox, name) values (gen_random_uuid(), 'a@example.org', 'B')`],
    ['CONFLICT', undefined, `insert into organization (id, name, slug) values ('${organization}', 'P', 'p')`],
    [
      'CONFLICT',
      undefined,
      `insert into membership (id, organization_id, user_id, role) values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'owner')`,
    ],
    ['VALIDATION_ERROR', '/date_end', event(`now(), now() - interval '1 day', 0, null`)],
    ['VALIDATION_ERROR', '/capacity', event('now(), now(), 0, -1')],
    ['VALIDATION_ERROR', '/status', event('now(), now(), 9, null')],
  ])('makes %s (%s) of a refusal of the database: %s', async (code, pointer, statement) => {
    const error = await errorOf(run(statement));
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code });
    expect((error as DomainError).issues?.[0]?.pointer).toBe(pointer);
  });

  it('makes CONFLICT of it through the unit of work as well', async () => {
    const em = database.orm.em.fork();
    em.create(Organization, { name: 'P', slug: 'o' });
    expect(await errorOf(em.flush())).toMatchObject({ code: 'CONFLICT' });
  });

  it.each([
    ['a statement that takes too long', { url: database.url, statementTimeout: 20 }, {}],
    ['a server that is not there, with the time to wait', { url: 'postgres://u:p@127.0.0.1:1/d' }, { retryAfter: 2 }],
  ])('makes SERVICE_UNAVAILABLE of %s', async (_, options, more) => {
    const { orm } = await shared(openOrm(options));
    const error = await errorOf(new PostgresDatabase(orm).rows(sql`select pg_sleep(5)`));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', ...more });
  });

  it('makes SERVICE_UNAVAILABLE of a connection that is cut, and a later statement works', async () => {
    const sleeping = errorOf(run('select pg_sleep(10)'));
    const others = `from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(10)'`;
    while ((await database.execute(`select pg_terminate_backend(pid) ${others}`)).length === 0);
    expect(await sleeping).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // until the socket is closed, the pool may still lend the connection
    await expect.poll(() => new PostgresDatabase(database.orm).rows(one).catch(() => null)).toEqual([{ one: 1 }]);
  });

  it('makes SERVICE_UNAVAILABLE of a pool that has no connection to give', async () => {
    const { orm } = await shared(openOrm({ url: database.url, poolSize: 1, connectionTimeout: 1_000 }));
    const held = await orm.connections.primary.connect();
    expect(await errorOf(new PostgresDatabase(orm).rows(one))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    held.release();
    expect(await new PostgresDatabase(orm).rows(one)).toEqual([{ one: 1 }]);
  });

  it('leaves alone what is a defect', async () => {
    const defect = new TypeError('x is not a function');
    expect(toDomainError(defect)).toBe(defect);
    expect(await errorOf(run('select nothing'))).not.toBeInstanceOf(DomainError);
    expect(toDomainError('text')).toBe('text');
  });
});

const warnings: string[] = [];
const { orm } = await shared(openOrm({ url: database.url, warn: (message) => void warnings.push(message) }));

const pidOf = async (client: { query: Pool['query'] }) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

/** Cuts a connection, and waits until that is reported. */
async function cut(pid: number | undefined): Promise<void> {
  warnings.length = 0;
  await database.execute(`select pg_terminate_backend(${pid})`);
  await expect.poll(() => warnings.length).toBeGreaterThan(0);
  expect(warnings).toEqual(['lost a connection to the database: terminating connection due to administrator command']);
}

// an error event that nobody hears ends the process
describe.each(['primary', 'snapshots'] as const)('the pool %s', (name) => {
  const pool = () => orm.connections[name] as Pool;

  it('survives the loss of an idle connection', async () => {
    const pid = await pidOf(pool());
    await cut(pid);
    expect(await pidOf(pool())).not.toBe(pid);
  });

  it('survives the loss of a connection in use between two statements', async () => {
    const client = await pool().connect();
    await cut(await pidOf(client));
    await expect(client.query('select 1')).rejects.toThrow();
    client.release(true);
    expect((await pool().query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

/** A DataRow of two columns, the first of which would be longer than the message (PostgreSQL 18, section 54.7). */
const malformed = Buffer.from('D\0\0\0\x0b\0\x02\x0f\0\0\0a', 'latin1');

let damages = false;
const damaging = await shared(
  startBreakable(database.url, (client) => ({ toClient: (bytes) => client.write(damages ? malformed : bytes) })),
);
const { orm: damaged } = await shared(openOrm({ url: damaging.url }));

// an exception of the driver's parser ends the process
it('a message that cannot be read costs its connection, and the next one serves', async () => {
  const db = new PostgresDatabase(damaged);
  const ask = () => db.rows(one);
  expect(await ask()).toEqual([{ one: 1 }]);
  damages = true;
  expect(await errorOf(ask())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  damages = false;
  expect(await ask()).toEqual([{ one: 1 }]);
  damages = true;
  expect(await errorOf(db.transaction(ask))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  damages = false;
  expect(await ask()).toEqual([{ one: 1 }]);
});

it('the options of a URL stand beside ours, which hold', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c search_path=public,pg_temp -c statement_timeout=0');
  const { orm } = await shared(openOrm({ url: url.href, statementTimeout: 7_000 }));
  const settings = ['search_path', 'statement_timeout', 'TimeZone', 'idle_in_transaction_session_timeout'];
  const found = await Promise.all(settings.map((name) => new PostgresDatabase(orm).rows(sql`show ${raw(name)}`)));
  expect(found.map(([row]) => Object.values(row ?? {})[0])).toEqual(['public,pg_temp', '7s', 'UTC', '1min']);
});

it('a transaction whose host vanished is over within a minute, with the statement that it was in', async () => {
  const { bounds } = readSettings({ NODE_ENV: 'test' });
  for (const writeTimeout of [bounds.database.writeTimeout, 1_000, 45_000]) {
    const settings = serviceConnections({ ...bounds, database: { ...bounds.database, writeTimeout } });
    const { orm } = await shared(openOrm({ url: database.url, ...settings }));
    const seconds = await new PostgresDatabase(orm).transaction((unit) =>
      unit.rows<{ statement: number; idle: number }>(sql`select
        extract(epoch from current_setting('statement_timeout')::interval)::int as statement,
        extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::int as idle`),
    );
    expect(seconds).toEqual([{ statement: writeTimeout / 1000, idle: 60 - writeTimeout / 1000 }]);
  }
});

it('a database that falls silent is away before long', async () => {
  const way = await shared(startBreakable(database.url));
  const { orm } = await shared(openOrm({ url: way.url, poolSize: 2, statementTimeout: 400, connectionTimeout: 500 }));
  const ask = () => new PostgresDatabase(orm).rows(one);
  expect(await ask()).toEqual([{ one: 1 }]);
  way.silence();
  expect(await errorOf(ask())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

it('a connection that is lost while it is set up fails the read, and does not end the process', async () => {
  const parse = 'P'.charCodeAt(0);
  const way = await shared(
    startBreakable(database.url, (client, upstream) => ({
      // the first statement
      toServer: (bytes) => (bytes[0] === parse ? client.destroy() : upstream.write(bytes)),
    })),
  );
  const { orm } = await shared(openOrm({ url: way.url }));
  const failures = await Promise.all([1, 2, 3].map(() => errorOf(new PostgresDatabase(orm).rows(one))));
  expect(failures).toMatchObject(Array(3).fill({ code: 'SERVICE_UNAVAILABLE' }));
});

it('listening for changes leaves every connection of the pool to requests and background work', async () => {
  const { primary } = (await serveInTest({ env: { DATABASE_POOL_SIZE: '2' } })).orm.connections;
  const client = await primary.connect();
  onTestFinished(() => client.release());
  // as a count of a limit, while a request holds its connection
  expect((await primary.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { toDomainError } from '../../src/db/errors.ts';
import { createOrm } from '../../src/db/orm.ts';
import { Organization } from '../../src/domain/organization/organization.entity.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

const organization = randomUUID();

const database = await shared(createTestDatabase());
await run(`insert into organization (id, name, slug) values ('${organization}', 'O', 'o')`);
await run(`insert into "user" (id, mailbox, name) values (gen_random_uuid(), 'a@example.org', 'A')`);

function run(statement: string) {
  return new PostgresDatabase(database.orm).rows(sql`${raw(statement)}`);
}

async function errorOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => null,
    (error: unknown) => toDomainError(error),
  );
}

const event = (further: string) =>
  `insert into event (id, organization_id, name, slug, date_start, date_end, status, capacity)
    values (gen_random_uuid(), '${organization}', 'E', 'e', ${further})`;

describe('toDomainError', () => {
  test.each([
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

  test('makes CONFLICT of it through the unit of work as well', async () => {
    const em = database.orm.em.fork();
    em.create(Organization, { name: 'P', slug: 'o' });
    expect(await errorOf(em.flush())).toMatchObject({ code: 'CONFLICT' });
  });

  test('makes SERVICE_UNAVAILABLE of a statement that takes too long', async () => {
    const orm = await createOrm({ url: database.url, statementTimeout: 20 });
    expect(await errorOf(new PostgresDatabase(orm).rows(sql`select pg_sleep(5)`))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await orm.close(true);
  });

  test('makes SERVICE_UNAVAILABLE of a server that is not there, with the time to wait', async () => {
    const orm = await createOrm({ url: 'postgres://u:p@127.0.0.1:1/d' });
    expect(await errorOf(new PostgresDatabase(orm).rows(sql`select 1`))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: 2,
    });
    await orm.close(true);
  });

  test('makes SERVICE_UNAVAILABLE of a connection that is cut, and a later statement works', async () => {
    const sleeping = errorOf(run('select pg_sleep(10)'));
    for (let cut = false; !cut; ) {
      const others = (await run(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(10)'`,
      )) as unknown[];
      cut = others.length > 0;
    }
    expect(await sleeping).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // until the socket is closed, the pool may still lend the connection
    await expect.poll(() => run('select 1 as one').catch(() => null)).toEqual([{ one: 1 }]);
  });

  test('makes SERVICE_UNAVAILABLE of a pool that has no connection to give', async () => {
    const orm = await createOrm({ url: database.url, poolSize: 1, connectionTimeout: 1_000 });
    const pool = await orm.driver.getConnection().getNativeClient();
    const held = await pool.connect();
    expect(await errorOf(new PostgresDatabase(orm).rows(sql`select 1`))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    held.release();
    expect(await new PostgresDatabase(orm).rows(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await orm.close(true);
  });

  test('leaves alone what is a defect', async () => {
    const defect = new TypeError('x is not a function');
    expect(toDomainError(defect)).toBe(defect);
    expect(await errorOf(run('select nothing'))).not.toBeInstanceOf(DomainError);
    expect(toDomainError('text')).toBe('text');
  });
});

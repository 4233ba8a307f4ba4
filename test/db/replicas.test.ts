import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrm } from '../../src/db/orm.ts';
import { row, rows } from '../../src/domain/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let primary: TestDatabase;
let replica: TestDatabase;
beforeAll(async () => {
  [primary, replica] = [await createTestDatabase(), await createTestDatabase()];
});
afterAll(async () => {
  await Promise.all([primary.drop(), replica.drop()]);
});

it('a replica answers the reads that ask for one, and no others', async () => {
  const orm = await createOrm({ url: primary.url, replicaUrls: [replica.url] });
  const name = sql`select current_database() as name`;
  const database = (url: string) => new URL(url).pathname.slice(1);
  expect(await rows(orm.em.fork(), name, { from: 'read' })).toEqual([{ name: database(replica.url) }]);
  expect(await rows(orm.em.fork(), name)).toEqual([{ name: database(primary.url) }]);
  expect(await row(orm.em.fork(), name)).toEqual({ name: database(primary.url) });
  await orm.em.fork().transactional(async (em) => {
    expect(await rows(em, name, { from: 'read' })).toEqual([{ name: database(primary.url) }]);
  });
  await orm.close(true);
});

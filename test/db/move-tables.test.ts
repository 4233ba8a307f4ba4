import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changed, leftBehind, ownedTables, rowsOf, special } from '../../src/db/move/tables.ts';
import { tenantTables } from '../support/bound-organization.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

// What goes along with an organization that moves is what the catalogue of PostgreSQL says is its own; what is left behind or changed on the
// way stands on a list with its reason (note 0086).

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const id = '019b7739-16c4-713d-922e-37c3d4317409';

it('every table with rows of organizations moves, or is left behind with a reason', async () => {
  const found = await ownedTables(client);
  const names = found.map(({ name }) => name);
  expect(names.toSorted()).toEqual(
    [...(await tenantTables(client)).map(({ name }) => name), 'organization'].toSorted(),
  );
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(leftBehind), ...Object.keys(special), ...Object.keys(changed)]),
  );
  for (const { name, columns, refers } of found) {
    expect(columns).toEqual(expect.arrayContaining(Object.keys(changed[name] ?? {})));
    for (const other of refers.filter((each) => names.includes(each))) {
      expect(names.indexOf(other), `${name} after ${other}`).toBeLessThan(names.indexOf(name));
    }
  }
});

it('of each table the rows of one organization can be selected', async () => {
  for (const table of await ownedTables(client)) {
    expect((await client.query(rowsOf(table, id))).rows, table.name).toEqual([]);
  }
});

describe('the check of that', () => {
  it('finds a new table that names the organization, and one that refers to it', async () => {
    await client.query('begin');
    await client.query(`create table line (organization_id uuid not null, id uuid primary key);
      create table note (line_id uuid references line (id), twice int generated always as (2) stored)`);
    const found = (await ownedTables(client)).filter(({ name }) => name === 'note' || name === 'line');
    expect(found).toEqual([
      { name: 'line', columns: ['organization_id', 'id'], owner: null, refers: [] },
      { name: 'note', columns: ['line_id'], owner: { parent: 'line', column: 'line_id' }, refers: ['line'] },
    ]);
    await client.query('rollback');
  });
});

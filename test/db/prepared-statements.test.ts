import { glob } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preparedStatements } from '../../src/engine/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { postgresMajor } from '../support/postgres.ts';

// Types do not see what only PostgreSQL knows: parentheses, the types of parameters, and whether an index serves a statement
// whose values are not known yet.

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('set enable_seqscan = off');
  for await (const file of glob('src/{db/access,domain,engine}/**/*.ts')) await import(`../../${file}`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('a prepared statement', () => {
  it('is one that PostgreSQL accepts', async () => {
    expect(preparedStatements.length).toBeGreaterThan(10);
    const refused: string[] = [];
    for (const compile of preparedStatements) {
      const { sql } = compile();
      const reason = await client.query(`prepare checked as ${sql}; deallocate checked`).then(
        () => null,
        ({ message }: Error) => message,
      );
      if (reason) refused.push(`${reason}: ${sql}`);
    }
    expect(refused).toEqual([]);
  });

  // `explain (generic_plan)` came with version 16
  it.skipIf(postgresMajor < 16)('finds its rows by an index', async () => {
    const without: string[] = [];
    for (const compile of preparedStatements) {
      const { sql } = compile();
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${sql}`);
      if (rows.some((row) => row['QUERY PLAN'].includes('Seq Scan'))) without.push(sql);
    }
    expect(without).toEqual([]);
  });
});

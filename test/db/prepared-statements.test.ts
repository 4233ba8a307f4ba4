import { glob } from 'node:fs/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { preparedStatements, shaped } from '#postgres-access';
import { connectedDatabase } from '../support/database.ts';
import { everyListStatement } from '../support/every-list.ts';
import { postgresMajor } from '../support/postgres.ts';
import { shared } from '../support/shared.ts';

// Types do not see what only PostgreSQL knows: parentheses, the types of parameters, and whether an index serves a statement
// whose values are not known yet.

const { client } = await shared(connectedDatabase());
await client.query('set enable_seqscan = off');
for await (const file of glob('src/{domain,engine}/**/*.ts')) await import(`../../${file}`);

/** Of {@link everyListStatement}, one of each text. */
const listTexts = async () => new Map((await everyListStatement()).map((each) => [each.text, each]));

describe('a statement of a list', () => {
  it('is one that PostgreSQL accepts', async () => {
    const refused: string[] = [];
    for (const { title, text } of (await listTexts()).values()) {
      const reason = await client.query(`prepare checked as ${text}; deallocate checked`).then(
        () => null,
        ({ message }: Error) => message,
      );
      if (reason) refused.push(`${title}: ${reason}: ${text}`);
    }
    expect(refused).toEqual([]);
  });

  // `explain (generic_plan)` came with version 16
  it.skipIf(postgresMajor < 16)('finds its rows by an index', async () => {
    const without: string[] = [];
    for (const { title, text } of (await listTexts()).values()) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
      if (rows.some((row) => row['QUERY PLAN'].includes('Seq Scan'))) without.push(title);
    }
    expect(without).toEqual([]);
  });

  it('is compiled once for each shape, and has the values of its own request', async () => {
    const statement = (n: number) =>
      shaped('of this test', { n }, (at) => sql<{ n: number }>`select ${at.n}::int as n`);
    expect(statement(1).parameters).toEqual([1]);
    expect(statement(2)).toEqual({ ...statement(1), parameters: [2] });
  });

  it('contains no value of a request', () => {
    const build = () => shaped('of this test, too', {}, () => sql`select ${1}::int as n`);
    expect(build).toThrow('a value is part of the shape');
  });
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

import { glob } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { preparedStatements } from '#postgres-access';
import { connectedDatabase } from '../support/database.ts';
import { postgresMajor } from '../support/postgres.ts';
import { shared } from '../support/shared.ts';

// Types do not see what only PostgreSQL knows: parentheses, the types of parameters, and whether an index serves a statement
// whose values are not known yet.

const { client } = await shared(connectedDatabase());
await client.query('set enable_seqscan = off');
for await (const file of glob('src/{domain,engine}/**/*.ts')) await import(`../../${file}`);
const texts = new Set(preparedStatements.map((compile) => compile().sql));

describe('a prepared statement', () => {
  it('is one that PostgreSQL accepts', async () => {
    const refused: string[] = [];
    expect(texts.size).toBeGreaterThan(10);
    for (const text of texts) {
      const reason = await client.query(`prepare checked as ${text}; deallocate checked`).then(
        () => null,
        ({ message }: Error) => message,
      );
      if (reason) refused.push(`${reason}: ${text}`);
    }
    expect(refused).toEqual([]);
  });

  // `explain (generic_plan)` came with version 16
  it.skipIf(postgresMajor < 16)('finds its rows by an index', async () => {
    const without: string[] = [];
    for (const text of texts) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
      if (rows.some((row) => row['QUERY PLAN'].includes('Seq Scan'))) without.push(text);
    }
    expect(without).toEqual([]);
  });
});

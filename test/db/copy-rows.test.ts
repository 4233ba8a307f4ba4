import { expect, it } from 'vitest';
import { copyRows } from '../../src/db/move/copy-rows.ts';
import { connectedDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';

const source = await shared(connectedDatabase());
const target = await shared(connectedDatabase());

/** Rows of a kilobyte: more than a connection takes at once. */
const select = `select n, repeat(chr(65 + n % 26), 1000) as text from generate_series(1, 30000) n`;

it('copies more than a connection takes at once, one copy after the other', async () => {
  await target.client.query('create table if not exists copied (n int, text text)');
  for (let count = 1; count <= 3; count += 1) {
    expect(await copyRows(source.client, target.client, { select, into: 'copied (n, text)' })).toBe(30_000);
  }
  const sums =
    'select count(*)::int as rows, count(distinct n)::int as numbers, sum(length(text))::int as length from copied';
  expect((await target.client.query(sums)).rows).toEqual([{ rows: 90_000, numbers: 30_000, length: 90_000_000 }]);
});

it('fails with the reason of the side that failed, and both can go on', async () => {
  await target.client.query('create table if not exists copied (n int, text text)');
  const copy = (from: string, into: string) => copyRows(source.client, target.client, { select: from, into });
  await expect(copy('select 1 / 0', 'copied (n)')).rejects.toThrow('division by zero');
  await expect(copy('select 1', 'missing (n)')).rejects.toThrow('"missing" does not exist');
  await expect(copy(`select 'x'`, 'copied (n)')).rejects.toThrow('invalid input syntax');
  for (const { client } of [source, target]) {
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  }
});

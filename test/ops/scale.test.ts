import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectedDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';
import { unboundStatements } from '../support/unbound-statements.ts';

// The checks of docs/operations/scale.md find on a new database what the page says that they find.

const page = readFileSync('docs/operations/scale.md', 'utf8');
const checks = [...page.matchAll(/```sql\n\s*-- check: ([^\n]+), (\d+) rows?(?: at first)?\n(.+?)```/gs)].map(
  ([, name, rows, text]) => ({ name, rows: Number(rows), text: text as string }),
);

const { client } = await shared(connectedDatabase());

it('every check of the page is run', () => {
  expect(checks).toHaveLength([...page.matchAll(/```sql/g)].length);
});

describe('a check', () => {
  it.each(checks)('$name: $rows rows', async ({ text, rows }) => {
    const results = [await client.query(text)].flat();
    expect(results.at(-1)?.rows).toHaveLength(rows);
  });
});

it('the page has each reason for which statements name no organization, and what a move has to do', () => {
  const reasons = [...page.matchAll(/^\| (.+?) +\| .+ \|$/gm)].map(([, reason]) => reason);
  for (const { because } of unboundStatements) expect(reasons).toContain(because);
});

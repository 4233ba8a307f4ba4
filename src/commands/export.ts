import { once } from 'node:events';
import { parseUuid } from '#input-values';
import { type PoolClient, snapshotMode, snapshotOn } from '#postgres-access';
import { invocation } from '../config/invocation.ts';
import { inClientTransaction, withClient } from '../db/client.ts';
import { writeDocument } from '../domain/leaving/export-document.ts';
import { organizationDocument } from '../domain/leaving/export-organization.ts';
import { runCommand } from './command.ts';

/** Rows between two lines of progress. */
const reported = 100_000;

// the reader of the document has stopped, as `head` does
process.stdout.on('error', ({ message }) => {
  console.error(`The output cannot be written: ${message}`);
  process.exit(1);
});

// npm run db:export -- [--organization ID]
const [option, value, ...more] = process.argv.slice(2);
if (option === undefined) await exportAll(null);
else if (option === '--organization' && value !== undefined && more.length === 0) await exportAll(value);
else {
  console.error(`Usage: ${invocation('export', 'db:export')} [--organization ID]`);
  process.exitCode = 1;
}

async function exportAll(given: string | null): Promise<void> {
  await runCommand(async ({ directUrl: url }) => {
    await withClient(url, (client) => inClientTransaction(client, () => write(client, given), snapshotMode));
  });
}

async function write(client: PoolClient, given: string | null): Promise<void> {
  const id = given === null ? null : parseUuid(given);
  const known = 'select from organization where id = $1 and deleted_at is null';
  if (given !== null && (id === null || (await client.query(known, [id])).rowCount === 0)) {
    throw new Error(`There is no organization ${given}.`);
  }
  const counts = new Map<string, number>();
  const count = (name: string, rows: number) => {
    const before = counts.get(name) ?? 0;
    if (before === 0 || Math.floor((before + rows) / reported) > Math.floor(before / reported)) {
      console.error(`Exporting ${name}${before === 0 ? '' : `: ${before + rows}`} …`);
    }
    counts.set(name, before + rows);
  };
  for await (const piece of writeDocument(snapshotOn(client), organizationDocument(id), count)) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
  const summary = [...counts].map(([name, rows]) => `${rows} ${name}`).join(', ');
  console.error(`Exported ${summary || 'nothing'}.`);
}

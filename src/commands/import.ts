import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createProgress } from '#command-line';
import { ImportFaults } from '#table-import';
import { invocation } from '../config/invocation.ts';
import { workingDirectory } from '../config/settings.ts';
import { withClient } from '../db/client.ts';
import { importDocument } from '../db/import/import.ts';
import { runCommand } from './command.ts';

// npm run db:import -- FILE
const [file, ...more] = process.argv.slice(2);
if (file === undefined || more.length > 0) {
  console.error(`Usage: ${invocation('import', 'db:import')} FILE`);
  process.exitCode = 1;
} else {
  await importFile(path.resolve(workingDirectory(), file));
}

async function importFile(file: string): Promise<void> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    console.error(`The file cannot be read: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
    return;
  }
  await runCommand(async ({ directUrl: url }) => {
    const progress = createProgress();
    try {
      const summary = await withClient(url, (client) => importDocument(client, bytes, progress));
      const counts = Object.entries(summary).filter(([, count]) => count > 0);
      console.log(`Imported ${counts.map(([section, count]) => `${count} ${section}`).join(', ') || 'nothing'}.`);
    } catch (error) {
      progress.end();
      if (!(error instanceof ImportFaults)) throw new Error(`Nothing was imported: ${explain(error)}`);
      for (const fault of error.faults) console.error(fault);
      const count = error.faults.length;
      throw new Error(`Nothing was imported: ${count} ${count === 1 ? 'fault' : 'faults'}.`);
    }
    // autovacuum takes a minute or so; until then the planner would have no statistics about the new rows
    const analyze = 'vacuum (analyze) organization, "user", membership, event, subscription';
    await withClient(url, (client) => client.query(analyze)).catch((error) =>
      console.error(`The tables were not analyzed: ${explain(error)}`),
    );
  });
}

/** PostgreSQL puts the row and the key of a violated constraint in the detail. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail: unknown = Reflect.get(error, 'detail');
  return typeof detail === 'string' ? `${error.message}. ${detail}` : error.message;
}

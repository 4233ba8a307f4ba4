import { runCommandLine } from '#command-line';
import { isoTimestamp } from '#input-values';
import { invocation } from '../config/invocation.ts';
import { readCommandSettings } from '../config/settings.ts';
import { hasEmbedded } from '../db/embedded.ts';
import { openDatabase } from '../db/open.ts';
import type { Context } from '../engine/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { nouns } from './admin/nouns.ts';
import { asOperator } from './admin/operator.ts';

// npm run admin -- NOUN VERB
const program = {
  program: invocation('admin', 'admin'),
  nouns,
  notes: 'USER is an id or an e-mail address. Destructive commands ask you to type the name; --yes skips that.',
  within: async (work: (ctx: Context) => Promise<number>) => {
    const { database: settings } = readCommandSettings();
    // opening it would create one
    if (settings.url === null && !hasEmbedded(settings.dataDir)) {
      throw new Error(`There is no database under ${settings.dataDir}. Run this with the environment of the service.`);
    }
    const database = await openDatabase(settings, console.error);
    try {
      return await asOperator(database, work);
    } finally {
      await database.close();
    }
  },
  meaningOf: (error: unknown) => {
    const { code } = error instanceof DomainError ? error : { code: null };
    return code === 'NOT_FOUND' ? 'unknown' : code === 'VALIDATION_ERROR' ? 'usage' : null;
  },
  // as both APIs present timestamps
  present: (name: string, value: unknown) =>
    name.endsWith('_at') && typeof value === 'string' ? isoTimestamp(value) : value,
} as const;
process.exitCode = await runCommandLine(program, process.argv.slice(2));

import { createInterface } from 'node:readline/promises';
import { readCommandSettings } from '../config/settings.ts';
import { hasEmbedded } from '../db/embedded.ts';
import { openDatabase } from '../db/open.ts';
import { DomainError } from '../kernel/errors.ts';
import { admin } from './admin/help.ts';
import { asOperator } from './admin/operator.ts';
import { print } from './admin/print.ts';
import { readLine, type Wanted } from './admin/read-line.ts';
import { UsageError } from './admin/verb.ts';

// npm run admin -- NOUN VERB
try {
  const wanted = readLine(process.argv.slice(2));
  if ('help' in wanted) process.stdout.write(wanted.help);
  else process.exitCode = await run(wanted);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  const isUsage = error instanceof UsageError || (error instanceof DomainError && error.code === 'VALIDATION_ERROR');
  if (isUsage) console.error(`\`${admin} --help\` lists the commands.`);
  process.exitCode = isUsage ? 2 : 1;
}

async function run({ verb, noun, given, json, yes }: Exclude<Wanted, { help: string }>): Promise<number> {
  const { database: settings } = readCommandSettings();
  // opening it would create one
  if (settings.url === null && !hasEmbedded(settings.dataDir)) {
    throw new Error(`There is no database under ${settings.dataDir}. Run this with the environment of the service.`);
  }
  const database = await openDatabase(settings, console.error);
  try {
    return await asOperator(database, async (ctx) => {
      try {
        if (verb.destroys && !yes && !(await confirm(await verb.destroys(ctx, given.names[0])))) {
          console.error('That is not the name; nothing was changed.');
          return 1;
        }
        console.log(print(await verb.run(ctx, given), json));
        return 0;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
        console.error(`Not found among ${noun}: ${given.names.filter(Boolean).join(', ')}.`);
        return 1;
      }
    });
  } finally {
    await database.close();
  }
}

/** Whether the operator typed the name of what is about to be destroyed. @throws UsageError without a terminal */
async function confirm(name: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`This destroys “${name}”: confirm with --yes.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(`This destroys “${name}”. Type the name to continue: `)) === name;
  } finally {
    prompt.close();
  }
}

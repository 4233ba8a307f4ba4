import { createInterface } from 'node:readline/promises';
import { print } from './print.ts';
import { readLine } from './read-line.ts';
import { type Nouns, UsageError } from './verb.ts';

export interface CommandLine<Context> {
  /** How it is called, as the help shows it. */
  program: string;
  nouns: Nouns<Context>;
  /** What the help says below the list of verbs. */
  notes: string;
  /** Opens what the verbs need, and closes it after `work`. */
  within(work: (context: Context) => Promise<number>): Promise<number>;
  /** The meaning of an error of a verb: a name that is not found, or a wrong command line. */
  meaningOf(error: unknown): 'unknown' | 'usage' | null;
  /** A value as it is printed. */
  present?(name: string, value: unknown): unknown;
}

/**
 * Runs `NOUN VERB [NAME ...] [--option ...]`.
 *
 * @returns the exit code: 0 done; 1 unknown, refused or failed; 2 the command line is wrong
 */
export async function runCommandLine<Context>(line: CommandLine<Context>, args: string[]): Promise<number> {
  try {
    return await run(line, args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    if (!(error instanceof UsageError) && line.meaningOf(error) !== 'usage') return 1;
    console.error(`\`${line.program} --help\` lists the commands.`);
    return 2;
  }
}

async function run<Context>(line: CommandLine<Context>, args: string[]): Promise<number> {
  const wanted = readLine(line, args);
  if ('help' in wanted) {
    process.stdout.write(wanted.help);
    return 0;
  }
  const { verb, noun, given, json, yes } = wanted;
  return await line.within(async (context) => {
    try {
      if (verb.destroys && !yes && !(await confirm(await verb.destroys(context, given.names[0])))) {
        console.error('That is not the name; nothing was changed.');
        return 1;
      }
      console.log(print(await verb.run(context, given), json, line.present));
      return 0;
    } catch (error) {
      if (line.meaningOf(error) !== 'unknown') throw error;
      console.error(`Not found among ${noun}: ${given.names.filter(Boolean).join(', ')}.`);
      return 1;
    }
  });
}

/** Whether the name of what is about to be destroyed was typed. @throws UsageError without a terminal */
async function confirm(name: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`This destroys “${name}”: confirm with --yes.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(`This destroys “${name}”. Type the name to continue: `)) === name;
  } finally {
    prompt.close();
  }
}

import { parseArgs } from 'node:util';
import { help, optionsOf } from './help.ts';
import type { CommandLine } from './run.ts';
import { type Given, UsageError, type Verb } from './verb.ts';

export type Wanted<Context> =
  | { help: string }
  | { verb: Verb<Context>; noun: string; given: Given; json: boolean; yes: boolean };

/** @throws UsageError */
export function readLine<Context>(line: CommandLine<Context>, args: string[]): Wanted<Context> {
  const { nouns } = line;
  const [noun, word, ...rest] = args;
  if (noun === undefined || noun === '--help' || noun === 'help') return { help: help(line) };
  const verbs = nouns[noun];
  if (!verbs) throw new UsageError(`There is no ${noun}; there are ${Object.keys(nouns).join(', ')}.`);
  if (word === undefined || word === '--help') return { help: help(line, noun) };
  const verb = verbs[word];
  if (!verb) throw new UsageError(`${noun} has no ${word}; it has ${Object.keys(verbs).join(', ')}.`);
  const { values, positionals: names } = parse(verb, rest);
  if (values.help) return { help: help(line, noun, word) };
  if (names.length !== verb.takes.length) {
    throw new UsageError(`${noun} ${word} takes ${verb.takes.join(' ') || 'nothing'}; got ${names.length}.`);
  }
  const [first = '', second = ''] = names;
  const given = { names: [first, second] as const, options: values };
  return { verb, noun, given, json: values.json === true, yes: values.yes === true };
}

function parse<Context>(verb: Verb<Context>, args: string[]): { values: Given['options']; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(optionsOf(verb)).map(([name, { value }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Given['options'], positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

import type { CommandLine } from './run.ts';
import type { Verb, VerbOption } from './verb.ts';

const general: Readonly<Record<string, VerbOption>> = {
  json: { does: 'prints JSON' },
  help: { does: 'prints this' },
};

export function optionsOf<Context>({ options = {}, destroys }: Verb<Context>): Readonly<Record<string, VerbOption>> {
  return { ...options, ...(destroys && { yes: { does: 'asks nothing' } }), ...general };
}

export function help<Context>({ program, nouns, notes }: CommandLine<Context>, noun?: string, verb?: string): string {
  const found = nouns[noun ?? '']?.[verb ?? ''];
  if (found) {
    return `${program} ${line(noun as string, verb as string, found)}\n\n  ${found.does}\n\n${table(
      Object.entries(optionsOf(found)).map(([name, { value, does }]) => [`--${name}${value ? ` ${value}` : ''}`, does]),
    )}`;
  }
  const shown = noun !== undefined && nouns[noun] ? { [noun]: nouns[noun] } : nouns;
  const rows = Object.entries(shown).flatMap(([name, verbs]) =>
    Object.entries(verbs).map(([word, each]): [string, string] => [line(name, word, each), each.does]),
  );
  return `${program} NOUN VERB [--json] [--help]

${table(rows)}
  ${notes}
  Exit codes: 0 done; 1 unknown, refused or failed; 2 the command line is wrong.
`;
}

function line<Context>(noun: string, verb: string, { takes }: Verb<Context>): string {
  return [noun, verb, ...takes].join(' ');
}

function table(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}

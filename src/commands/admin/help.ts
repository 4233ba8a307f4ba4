import { invocation } from '../../config/invocation.ts';
import { nouns } from './nouns.ts';
import type { Verb, VerbOption } from './verb.ts';

export const admin = invocation('admin', 'admin');

const general: Readonly<Record<string, VerbOption>> = {
  json: { does: 'prints JSON' },
  help: { does: 'prints this' },
};

export function optionsOf({ options = {}, destroys }: Verb): Readonly<Record<string, VerbOption>> {
  return { ...options, ...(destroys && { yes: { does: 'asks nothing' } }), ...general };
}

export function help(noun?: string, verb?: string): string {
  const found = nouns[noun ?? '']?.[verb ?? ''];
  if (found) {
    return `${admin} ${line(noun as string, verb as string, found)}\n\n  ${found.does}\n\n${table(
      Object.entries(optionsOf(found)).map(([name, { value, does }]) => [`--${name}${value ? ` ${value}` : ''}`, does]),
    )}`;
  }
  const shown = noun !== undefined && nouns[noun] ? { [noun]: nouns[noun] } : nouns;
  const rows = Object.entries(shown).flatMap(([name, verbs]) =>
    Object.entries(verbs).map(([word, each]): [string, string] => [line(name, word, each), each.does]),
  );
  return `${admin} NOUN VERB [--json] [--help]

${table(rows)}
  USER is an id or an e-mail address. Destructive commands ask you to type the name; --yes skips that.
  Exit codes: 0 done; 1 unknown, refused or failed; 2 the command line is wrong.
`;
}

function line(noun: string, verb: string, { takes }: Verb): string {
  return [noun, verb, ...takes].join(' ');
}

function table(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}

import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { parse, type Token } from 'acorn';

/** A regular expression as the source has it. */
export interface SourcePattern {
  /** Where it stands, below the folder. */
  place: string;
  pattern: string;
  flags: string;
}

export interface SourcePatterns {
  literals: SourcePattern[];
  /** The files that build regular expressions at run time. */
  builders: string[];
}

/** Every regular expression in the modules of a folder. */
export function patternsOf(folder: string): SourcePatterns {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[jt]s$/.test(file));
  const found = files.map((file) => patternsIn(readFileSync(path.join(folder, file), 'utf8'), file));
  return {
    literals: found.flatMap(({ literals }) => literals),
    builders: found.flatMap(({ builders }) => builders),
  };
}

/** The same of one module, by the tokens of a parser: a comment or a string with slashes is none. */
export function patternsIn(text: string, file: string): SourcePatterns {
  const literals: SourcePattern[] = [];
  let builds = false;
  const onToken = ({ type, value, loc }: Token & { value?: unknown }) => {
    if (type.label === 'name' && value === 'RegExp') builds = true;
    if (type.label !== 'regexp') return;
    const { pattern, flags } = value as { pattern: string; flags: string };
    literals.push({ place: `${file}:${loc?.start.line}`, pattern, flags });
  };
  // leaves every line where it is
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onToken });
  return { literals, builders: builds ? [file] : [] };
}

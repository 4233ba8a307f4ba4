import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnv } from './programs.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** The commands that the guide to restores gives under a heading, one block each. */
export function restoreCommands(heading: string): string[] {
  return commandsOf('backup-and-restore.md', heading);
}

/** The commands that a page of `docs/operate` gives under a heading, one block each. */
export function commandsOf(page: string, heading: string): string[] {
  const text = readFileSync(path.join(root, 'docs/operate', page), 'utf8');
  const section = text.split(/^#+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', body = '']) =>
    body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Runs a block as it is written, but for its folders and times, which `places` replaces; returns what it prints. */
export async function runBlock(block: string, places: Record<string, string>, env: Record<string, string>) {
  const program = 'events-gateway() { node src/commands/events-gateway.ts "$@"; }; OPS=ops';
  const here = Object.entries(places).reduce((text, [written, meant]) => text.replaceAll(written, meant), block);
  const programs = [path.dirname(process.execPath), env.PATH ?? process.env.PATH].join(path.delimiter);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', `${program}\n${here}`], {
    cwd: root,
    env: { ...childEnv, ...env, PATH: programs },
  });
  return stdout;
}

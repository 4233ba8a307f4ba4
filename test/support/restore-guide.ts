import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnv } from './child-env.ts';
import { dumpPrograms } from './dump-programs.ts';

const root = path.join(import.meta.dirname, '..', '..');
const folder = '/backups';

/** The commands that the guide to restores gives under a heading, one block each. */
export function restoreCommands(heading: string): string[] {
  const text = readFileSync(path.join(root, 'docs/operations/restore.md'), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body);
}

/** Runs a block as it is written, but for the folder of backups; returns what it prints. */
export async function runBlock(block: string, dir: string, env: Record<string, string>): Promise<string> {
  const paths = [dumpPrograms, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', block.replaceAll(folder, dir)], {
    cwd: root,
    env: { ...childEnv, PATH: paths, ...env },
  });
  return stdout;
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '..', '..');

/**
 * Compiles programs in a folder of their own below one of the repository, where they find its packages.
 *
 * @param prepare writes there what the programs need
 * @returns what the compiler says; nothing if it has no objection
 */
export async function compile(
  programs: Record<string, string>,
  compilerOptions: object = {},
  below = 'node_modules',
  prepare = async (_folder: string): Promise<unknown> => undefined,
): Promise<string> {
  const folder = await mkdtemp(path.join(root, below, '.compiled-'));
  try {
    await prepare(folder);
    const config = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['*'] };
    const files = { ...programs, 'tsconfig.json': JSON.stringify(config) };
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    await promisify(execFile)(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], { cwd: root });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}` || String(error);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same with calls of the client package, each with the name of its operation. */
export function compileCalls(calls: readonly (readonly [operation: string, source: string])[]): Promise<string> {
  const functions = calls.map(([operation, source]) => `export async function ${operation}() {\n${source}\n}\n`);
  const head = "import type { Client } from 'events-gateway-client';\ndeclare const client: Client;\n";
  return compile({ 'calls.ts': head + functions.join('') });
}

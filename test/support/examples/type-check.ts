import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** What the compiler says of calls of the client package, each with the name of its operation; nothing if all are good. */
export async function typeCheckCalls(
  calls: readonly (readonly [operation: string, source: string])[],
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'events-gateway-calls-'));
  const file = path.join(folder, 'calls.ts');
  const client = path.join(root, 'packages', 'client', 'src', 'index.ts');
  const functions = calls.map(([operation, source]) => `export async function ${operation}() {\n${source}\n}\n`);
  await writeFile(
    file,
    `import type { Client } from '${client}';\ndeclare const client: Client;\n${functions.join('')}`,
  );
  const options =
    '--noEmit --ignoreConfig --strict --module nodenext --target es2023 --lib es2023,dom,dom.iterable'.split(' ');
  const loose = ['--skipLibCheck', '--allowImportingTsExtensions', '--types', ''];
  try {
    await promisify(execFile)('npx', ['tsc', ...options, ...loose, file], { cwd: root });
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout || error);
  } finally {
    await rm(folder, { recursive: true });
  }
}

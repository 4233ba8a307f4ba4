import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** A generator of clients: what it is called with, and the module that its program imports. */
const generators = {
  'openapi-typescript': (document: string, folder: string) => [document, '--output', path.join(folder, 'api.ts')],
  'openapi-ts': (document: string, folder: string) => ['--input', document, '--output', path.join(folder, 'api')],
};

export type Generator = keyof typeof generators;

/**
 * Generates a client from a document, and compiles a program against it with the compiler of this repository.
 *
 * @returns what the compiler says; nothing if it has no objection
 */
export async function compileAgainst(generator: Generator, document: object, program: string): Promise<string> {
  // below the root, where the program finds its packages
  const folder = await mkdtemp(path.join(root, 'packages', 'client', 'node_modules', '.generated-'));
  try {
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const bin = path.join(root, 'packages', 'client', 'node_modules', '.bin', generator);
    await run(process.execPath, [bin, ...generators[generator](file, folder)], { cwd: folder });
    await writeFile(path.join(folder, 'program.ts'), program);
    const options = '--noEmit --ignoreConfig --strict --skipLibCheck --module esnext --moduleResolution bundler';
    const libs = '--target es2023 --lib es2023,dom,dom.iterable --types node';
    const compiler = path.join(root, 'node_modules', '.bin', 'tsc');
    await run(compiler, [...options.split(' '), ...libs.split(' '), path.join(folder, 'program.ts')], { cwd: root });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}` || String(error);
  } finally {
    await rm(folder, { recursive: true });
  }
}

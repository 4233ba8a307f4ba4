import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import manifest from '../../packages/client/package.json' with { type: 'json' };

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

const clientFolder = path.join(root, 'packages', 'client');

/** An entry of the client package as an application gets it: one minified module with all that it needs, but the peers. */
export async function bundleClient(format: 'esm' | 'iife' = 'esm', entry = 'index'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(clientFolder, 'src', `${entry}.ts`)],
    external: Object.keys(manifest.peerDependencies),
    bundle: true,
    minify: true,
    write: false,
    format,
    globalName: format === 'iife' ? 'eventsGateway' : undefined,
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

/** Packs the client as for a registry. @returns the path of the archive, in a folder of its own */
export async function packClient(): Promise<string> {
  const destination = await mkdtemp(path.join(tmpdir(), 'events-gateway-client-'));
  const options = { cwd: clientFolder, encoding: 'utf8' } as const;
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], options);
  const filename = /events-gateway-client-[\w.-]+\.tgz/.exec(packed)?.[0];
  if (!filename) throw new Error(`npm pack said: ${packed}`);
  return path.join(destination, filename);
}

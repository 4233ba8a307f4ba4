import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJson } from './read-json.ts';

/** What the package has besides the compiled code; in `dist` are the pages for developers, built, with the contracts. */
const files = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist/docs',
  'dist/explorer',
  'ops',
  'src/rest/recorded-examples.json',
];

interface Manifest {
  name: string;
  version: string;
  imports: Record<string, string>;
  [key: string]: unknown;
}

interface Lock {
  packages: Record<string, { link?: true }>;
}

/**
 * Makes the npm package of the service: compiled, with the versions of all its dependencies, and what operators need.
 *
 * @returns the path of the archive, below `dist`
 */
export function packRelease(root: string): string {
  const stage = path.join(root, 'dist', 'package');
  rmSync(stage, { recursive: true, force: true });
  const run = (cwd: string, command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd, encoding: 'utf8' });
  run(root, process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'release/tsconfig.json');
  for (const file of files) cpSync(path.join(root, file), path.join(stage, file), { recursive: true });
  const write = (file: string, content: unknown) =>
    writeFileSync(path.join(stage, file), `${JSON.stringify(content, null, 2)}\n`);
  const manifest = manifestOf(readJson<Manifest>(path.join(root, 'package.json')));
  write('package.json', manifest);
  write('package-lock.json', lockOf(readJson<Lock>(path.join(root, 'package-lock.json')), manifest));
  // npm leaves out what the service does not need, without asking a registry
  run(stage, 'npm', 'install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund');
  renameSync(path.join(stage, 'package-lock.json'), path.join(stage, 'npm-shrinkwrap.json'));
  run(stage, 'npm', 'pack', '--pack-destination', '..', '--loglevel=error');
  return path.join('dist', `${manifest.name}-${manifest.version}.tgz`);
}

function manifestOf(project: Manifest): Manifest {
  const { name, version, description, license, type, engines, dependencies, optionalDependencies } = project;
  const imports = Object.fromEntries(
    Object.entries(project.imports).map(([key, file]) => [key, file.replace(/\.ts$/, '.js')]),
  );
  const bin = { 'events-gateway': './src/commands/events-gateway.js' };
  return { name, version, description, license, type, bin, imports, engines, dependencies, optionalDependencies };
}

/** The lock file of the project for the manifest of the package. */
function lockOf(lock: Lock, manifest: Manifest): unknown {
  const installed = Object.entries(lock.packages).filter(
    ([folder, { link }]) => folder.startsWith('node_modules/') && !link,
  );
  return { ...lock, packages: { '': manifest, ...Object.fromEntries(installed) } };
}

import { execFile } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeBundle } from '../../packages/explorer/src/make-bundle.ts';
import { bundleFolder } from '../../src/explorer/explorer.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Whether a file is newer than what it is made of: `npm ci` has built it, but of other sources. */
function isBuilt(file: string, ...sources: string[]): boolean {
  const found = ['package-lock.json', ...sources].flatMap((each) => globSync(each, { cwd: root }));
  const changed = found.map((each) => statSync(path.join(root, each)).mtimeMs);
  return existsSync(file) && statSync(file).mtimeMs > Math.max(...changed);
}

/** Builds the site of the documents unless it is newer than what it is made of. */
export async function buildDocuments(): Promise<void> {
  const sources = ['*.md', 'docs/**/*.{md,ts,json}', '{packages,examples}/*/README.md'];
  if (isBuilt(path.join(root, 'dist/docs/packages.json'), ...sources)) return;
  const args = ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs'];
  await promisify(execFile)(process.execPath, args, { cwd: root });
}

/** Builds the bundle of GraphiQL unless it is newer than what it is made of. */
export async function buildExplorer(): Promise<void> {
  if (isBuilt(path.join(bundleFolder, 'bundle.json'), 'packages/{explorer,explorer-content}/**')) return;
  await makeBundle({ folder: bundleFolder, content: path.join(root, 'packages/explorer-content/src/content.js') });
}

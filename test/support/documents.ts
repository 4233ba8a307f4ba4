import { execFile } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '..', '..');

/** Builds the site of the documents unless it is newer than what it is made of: `npm ci` has built it, but of other sources. */
export async function buildDocuments(): Promise<void> {
  const built = path.join(root, 'dist/docs/packages.json');
  const sources = [
    'package-lock.json',
    '*.md',
    'docs/**/*.{md,ts,json}',
    'packages/*/README.md',
    'examples/*/README.md',
  ];
  const changed = sources
    .flatMap((each) => globSync(each, { cwd: root }))
    .map((file) => statSync(path.join(root, file)).mtimeMs);
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...changed)) return;
  await promisify(execFile)(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs'], {
    cwd: root,
  });
}

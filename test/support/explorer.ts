import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeBundle } from '../../packages/explorer/src/make-bundle.ts';
import { bundleFolder } from '../../src/explorer/explorer.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Builds the bundle of GraphiQL unless it is newer than what it is made of: `npm ci` has built it, but of other sources. */
export async function buildExplorer(): Promise<void> {
  const folders = ['packages/explorer', 'packages/explorer-content'];
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(path.join(root, folder), { recursive: true })).map((name) => path.join(folder, name)),
    ),
  );
  const sources = ['package-lock.json', ...names.flat()];
  const changed = await Promise.all(sources.map(changedAt));
  if (Math.max(...changed) > (await changedAt(path.join(bundleFolder, 'bundle.json')))) {
    await makeBundle({ folder: bundleFolder, content: path.join(root, 'packages/explorer-content/src/content.js') });
  }
}

/** 0 for a file that does not exist. */
async function changedAt(file: string): Promise<number> {
  return await stat(path.resolve(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

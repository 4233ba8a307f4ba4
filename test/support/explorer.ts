import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { bundleFolder } from '../../src/explorer/bundle.ts';
import { makeBundle } from '../../src/explorer/make-bundle.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Builds the bundle of GraphiQL unless it is newer than what it is made of: `npm ci` has built it, but of other sources. */
export async function buildExplorer(): Promise<void> {
  const names = await readdir(path.join(root, 'src/explorer'), { recursive: true });
  const sources = ['package-lock.json', ...names.map((name) => path.join('src/explorer', name))];
  const changed = await Promise.all(sources.map(changedAt));
  if (Math.max(...changed) > (await changedAt(path.join(bundleFolder, 'bundle.json')))) await makeBundle(bundleFolder);
}

/** 0 for a file that does not exist. */
async function changedAt(file: string): Promise<number> {
  return await stat(path.resolve(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Published } from './gate.ts';

/** Reads the published files in a folder. */
export function readContract(folder: string): Published {
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { openapi: JSON.parse(text('openapi.json')), schema: text('schema.graphql') };
}

/** The newest version below `docs/releases`. */
export function lastRelease(root: string): string {
  const versions = readdirSync(path.join(root, 'docs', 'releases')).filter((each) => /^\d+\.\d+\.\d+$/.test(each));
  const last = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (!last) throw new Error('docs/releases contains no version');
  return last;
}

/** What the changelog says below `## [Unreleased]`. */
export function unreleasedPart(changelog: string): string {
  return /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
}

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withExamples } from '../docs/.vitepress/examples.ts';

const root = path.join(import.meta.dirname, '..');
const pages = globSync('docs/reference/*.md', { cwd: root });

it.each(pages)('%s: its examples are the recorded ones; `npm run print` renews them', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  expect(text).toBe(withExamples(text));
});

it('the pages about operations begin with an example', () => {
  const without = pages.filter((page) => !readFileSync(path.join(root, page), 'utf8').includes('<!-- example '));
  expect(without.map((page) => path.basename(page)).sort()).toEqual(['README.md', 'limits.md', 'pages.md']);
});

it('no decision note has more than 60 lines, and there are at most 40', () => {
  const notes = globSync('docs/contribute/decisions/0*.md', { cwd: root });
  expect(notes.length).toBeLessThanOrEqual(40);
  expect(notes.filter((note) => readFileSync(path.join(root, note), 'utf8').split('\n').length > 61)).toEqual([]);
});

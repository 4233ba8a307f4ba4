import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withExamples } from './examples.ts';

// npm run print: the recorded examples into the pages of the reference; a test fails if they are out of date
for (const file of globSync('reference/*.md', { cwd: path.join(import.meta.dirname, '..') })) {
  const page = path.join(import.meta.dirname, '..', file);
  writeFileSync(page, withExamples(readFileSync(page, 'utf8')));
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { serve } from '../support/server.ts';

const server = await serve();
await ensureDemo(server.orm);

const page = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** The blocks of a text, in their order. */
function blocksOf(text: string): { language: string; text: string }[] {
  const blocks = [...text.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, language = '', block = '']) => ({ language, text: block }));
}

/** What differs from run to run: ids, times and cursors. */
function anonymous(json: string): unknown {
  return JSON.parse(json, (_key, value) => {
    if (typeof value !== 'string') return value;
    if (/^[\da-f]{8}-[\da-f-]{27}$/.test(value)) return '<id>';
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value.startsWith('2031') ? value : '<time>';
    return /^[\w-]{40,}$/.test(value) ? '<opaque>' : value;
  });
}

const requests = page('README.md')
  .split(/^## /m)
  .find((chapter) => chapter.startsWith('One request in each API\n'));

test.each([
  { name: 'the README', text: requests ?? '', count: 3 },
  { name: 'the first requests', text: page('docs/guides/first-requests.md'), count: 13 },
])('the commands of $name give the responses that it shows', async ({ text: given, count }) => {
  const blocks = blocksOf(given);
  const steps = blocks.flatMap(({ language, text }, index) =>
    language === 'sh' ? [{ text, next: blocks[index + 1] }] : [],
  );
  const script = steps.map(({ text }) => `${text}\necho; echo '<end of block>'`).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script.replace(/^URL=.*$/m, `URL=${server.url}`)]);
  const said = stdout.split('<end of block>');
  expect(steps).toHaveLength(count);
  for (const [index, { text, next }] of steps.entries()) {
    if (next?.language !== 'json') continue;
    const answer = said[index]?.trim().split('\n').at(-1) ?? '';
    expect(anonymous(answer), text).toEqual(anonymous(next.text));
  }
});

test('the README is one page', () => {
  expect(Buffer.byteLength(page('README.md'))).toBeLessThanOrEqual(9 * 1024);
});

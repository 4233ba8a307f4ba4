import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await ensureDemo(server.orm);
});
afterAll(() => server.close());

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The blocks of a chapter, in their order. */
function blocksOf(title: string): { language: string; text: string }[] {
  const chapter = readme.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  const blocks = [...chapter.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, language = '', text = '']) => ({ language, text }));
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

test('the commands of the README give the responses that it shows', async () => {
  const chapters = [
    'A first query in each face',
    'A first event in each face',
    'What has changed',
    'A key for a machine',
    'A webhook',
  ];
  const blocks = chapters.flatMap(blocksOf);
  const steps = blocks.flatMap(({ language, text }, index) =>
    language === 'sh' ? [{ text, next: blocks[index + 1] }] : [],
  );
  const script = steps.map(({ text }) => `${text}\necho; echo '<end of block>'`).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script.replace(/^URL=.*$/m, `URL=${server.url}`)]);
  const said = stdout.split('<end of block>');
  expect(steps).toHaveLength(15);
  for (const [index, { text, next }] of steps.entries()) {
    if (next?.language !== 'json') continue;
    const answer = said[index]?.trim().split('\n').at(-1) ?? '';
    expect(anonymous(answer), text).toEqual(anonymous(next.text));
  }
});

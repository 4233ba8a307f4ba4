import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { endOfStep, expectPrinted, fromSources, guides, stepsIn, stepsOf } from '../support/guide-steps.ts';
import { serve } from '../support/server.ts';
import { folderInTest } from '../support/shared.ts';

const run = promisify(execFile);
const server = await serve();
await ensureDemo(server.orm);

/** What differs from run to run: ids, times and cursors. */
function anonymous(json: string): unknown {
  return JSON.parse(json, (_key, value) => {
    if (typeof value !== 'string') return value;
    if (/^[\da-f]{8}-[\da-f-]{27}$/.test(value)) return '<id>';
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value.startsWith('2031') ? value : '<time>';
    return /^[\w-]{40,}$/.test(value) ? '<opaque>' : value;
  });
}

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const requests = readme.split(/^## /m).find((chapter) => chapter.startsWith('One request in each API\n')) ?? '';

// the first that run, since what they show of the demo is all of the answer
it.each([
  { name: 'the README', steps: stepsIn(requests), count: 3 },
  { name: 'the first requests', steps: stepsOf('first-requests.md'), count: 13 },
])('the commands of $name give the responses that it shows', async ({ steps, count }) => {
  const script = steps.map(({ text }) => `${text}\necho; echo '${endOfStep}'`).join('\n');
  const { stdout } = await run('bash', ['-c', script.replace(/^URL=.*$/m, `URL=${server.url}`)]);
  const said = stdout.split(endOfStep);
  expect(steps).toHaveLength(count);
  for (const [index, { text, printed }] of steps.entries()) {
    const answer = said[index]?.trim().split('\n').at(-1) ?? '';
    if (printed !== undefined) expect(anonymous(answer), text).toEqual(anonymous(printed));
  }
});

it('the README is one page', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(9 * 1024);
});

// what the first requests return has ids, and imports are tested with the import (test/db/import.test.ts)
const others = ['first-requests.md', 'import-and-export.md'];

it.each(guides.filter((guide) => !others.includes(guide)))(
  '%s: every command and program does what it says',
  async (guide) => {
    const folder = await folderInTest();
    const steps = stepsOf(guide);
    expect(steps.length).toBeGreaterThan(2);
    const lines = ['set -eu'];
    for (const [index, { language, text }] of steps.entries()) {
      const name = /^\/\/ (\S+\.mjs)$/m.exec(text)?.[1] ?? `step-${index}.mjs`;
      const file = path.join(folder, name);
      if (language === 'js') await writeFile(file, fromSources(text));
      const command =
        language === 'sh'
          ? text.replace(/^URL=.*$/m, `URL=${server.url}`)
          : `URL=$URL KEY=\${KEY:-} "${process.execPath}" ${file}`;
      lines.push(command, `echo; echo '${endOfStep}'`);
    }
    const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` };
    const { stdout } = await run('bash', ['-c', lines.join('\n')], { cwd: folder, env });
    expectPrinted(steps, stdout);
  },
);

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '..', '..');
const guides = path.join(root, 'docs', 'guides');
const server = await shared(startTestServer());
beforeAll(async () => {
  await ensureDemo(server.orm);
});

interface Step {
  language: 'sh' | 'js';
  text: string;
  /** The end of what it prints; absent if the guide does not say. */
  printed: string | undefined;
}

/** The blocks of a guide that run, and after each what it prints. */
function stepsOf(guide: string): Step[] {
  const text = readFileSync(path.join(guides, guide), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body = '']) => ({
    language,
    body,
  }));
  return blocks.flatMap(({ language, body }, index) => {
    if (language !== 'sh' && language !== 'js') return [];
    const next = blocks[index + 1];
    return [{ language, text: body, printed: next?.language === 'json' ? next.body.trim() : undefined }];
  });
}

/** The package as a reader installs it is that of the sources. */
const client = new URL('../../packages/client/src/index.ts', import.meta.url).href;

it.each(readdirSync(guides))('%s: every command and program does what it says', async (guide) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'events-gateway-guide-'));
  try {
    const steps = stepsOf(guide);
    expect(steps.length).toBeGreaterThan(2);
    const lines = ['set -eu'];
    for (const [index, { language, text }] of steps.entries()) {
      const file = path.join(folder, `step-${index}.mjs`);
      if (language === 'js') await writeFile(file, text.replace("'events-gateway-client'", `'${client}'`));
      const command =
        language === 'sh'
          ? text.replace(/^URL=.*$/m, `URL=${server.url}`)
          : `URL=$URL KEY=\${KEY:-} "${process.execPath}" ${file}`;
      lines.push(command, `echo; echo '<end of step>'`);
    }
    const { stdout } = await run('bash', ['-c', lines.join('\n')], { cwd: folder });
    const said = stdout.split('<end of step>').map((each) => each.trim());
    for (const [index, { text, printed }] of steps.entries()) {
      if (printed === undefined) continue;
      const last = said[index]?.split('\n').at(-1) ?? '';
      if (printed.startsWith('{')) expect(JSON.parse(last), text).toMatchObject(JSON.parse(printed));
      else
        expect(last, text).toBe(printed.replace(/^"(.*)"$/, (whole, inner) => (whole.includes(':') ? whole : inner)));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

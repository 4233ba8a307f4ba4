import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { endOfStep, expectPrinted, guidesFolder, stepsOf } from '../support/guide-steps.ts';
import { serve } from '../support/server.ts';

const run = promisify(execFile);
const server = await serve();
beforeAll(async () => {
  await ensureDemo(server.orm);
});

/** The package as a reader installs it is that of the sources. */
const sources = new URL('../../packages/client/src/', import.meta.url).href;
const fromSources = (program: string) =>
  program.replace(/'events-gateway-client(?:\/(\w+))?'/, (_, module = 'index') => `'${sources}${module}.ts'`);

// what the first requests return has ids (readme.test.ts), and imports are tested with the import (test/db/import.test.ts)
const others = ['first-requests.md', 'import-and-export.md'];
const ofClients = readdirSync(guidesFolder).filter((guide) => !others.includes(guide));

it.each(ofClients)('%s: every command and program does what it says', async (guide) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'events-gateway-guide-'));
  try {
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
  } finally {
    await rm(folder, { recursive: true });
  }
});

import { execFile, spawn } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { endOfStep, expectPrinted, fromSources, guides, programOf, stepsIn, stepsOf } from '../support/guide-steps.ts';
import { logChange } from '../support/log-change.ts';
import { childEnv, freePort } from '../support/programs.ts';
import { send } from '../support/send.ts';
import { createKey, createTeam, serve } from '../support/server.ts';
import { folderInTest } from '../support/shared.ts';
import {
  allowLoopback,
  createWebhook,
  deliveriesOf,
  messagesOf,
  passTime,
  readWebhook,
  webhookWorld,
} from '../support/webhooks.ts';

const run = promisify(execFile);
const server = await serve({ env: allowLoopback });
await ensureDemo(server.orm);
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** What differs from run to run: ids, times and cursors. */
function anonymous(json: string): unknown {
  return JSON.parse(json, (_key, value) => {
    if (typeof value !== 'string') return value;
    if (/^[\da-f]{8}-[\da-f-]{27}$/.test(value)) return '<id>';
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value.startsWith('2031') ? value : '<time>';
    return /^[\w-]{40,}$/.test(value) ? '<opaque>' : value;
  });
}

const readme = read('README.md');
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

const { subscriber } = webhookWorld(server);
const [, receiver = ''] = /^```js\n([\s\S]*?)^```$/m.exec(read('docs/reference/webhooks.md')) ?? [];

it('the receiver of the documentation accepts what is sent, and refuses what is not signed', async () => {
  const { owner, organizationId } = await createTeam(server);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const webhook = await createWebhook(server, owner, { url });
  const child = spawn(process.execPath, ['--input-type=module', '-e', receiver], {
    env: { ...childEnv, PORT: String(port), WEBHOOK_SECRET: webhook.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  try {
    await expect.poll(() => said).toContain('listening');
    const test = await send(server, owner, `POST /webhooks/${webhook.id}/test`);
    expect(test.body).toMatchObject({ delivered: true, http_status: 204 });
    const object = webhook.id;
    await logChange(server, organizationId, { object_id: object });
    expect(await deliveriesOf(server, owner, webhook, 1)).toMatchObject([{ status: 'succeeded', http_status: 204 }]);
    expect(said).toContain(`event.changed ${object}`);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  } finally {
    child.kill();
  }
});

it.each([
  { status: 'paused', failure: 503, attempts: 2 },
  { status: 'disabled', failure: 410, attempts: 1 },
  { status: 'active', failure: 503, attempts: 2 },
])(
  'the program of the guide makes a webhook that is $status after failures send what was missed, in order',
  async ({ status, failure, attempts }) => {
    let answer = failure;
    const { target, owner, webhook, log } = await subscriber((response) => void response.writeHead(answer).end());
    const key = await createKey(server, owner, { role: 'member', webhooks: true });
    const object_id = randomUUIDv7();
    await log({ object_id, version: 1 });
    await deliveriesOf(server, owner, webhook, 1);
    for (let count = 2; count <= attempts; count += 1) {
      await passTime(server, webhook);
      await deliveriesOf(server, owner, webhook, count);
    }
    if (status === 'paused') await send(server, key, `PATCH /webhooks/${webhook.id}`, { status });
    expect(await readWebhook(server, owner, webhook)).toMatchObject({ status });
    for (const version of [2, 3]) await log({ object_id, version });
    const failed = target.received.length;
    answer = 204;
    const text = programOf('receive-webhooks.md', 'resume.mjs');
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text], {
      env: { ...childEnv, URL: server.url, KEY: key.secret, WEBHOOK: webhook.id },
    });
    expect(stdout).toBe('active\n');
    const messages = await messagesOf(target, failed + 3);
    expect(messages.slice(failed).map(({ data }) => data.version)).toEqual([1, 2, 3]);
  },
);

import { execFile, spawn } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { programOf } from '../support/guide-steps.ts';
import { logChange } from '../support/log-change.ts';
import { childEnv, freePort } from '../support/programs.ts';
import { send } from '../support/send.ts';
import { createKey, createTeam, serve } from '../support/server.ts';
import { webhookWorld } from '../support/webhook-world.ts';
import { allowLoopback, createWebhook, deliveriesOf, messagesOf, passTime, readWebhook } from '../support/webhooks.ts';

const server = await serve({ env: allowLoopback });
const { subscriber } = webhookWorld(server);
const documented = readFileSync(new URL('../../docs/reference/webhooks.md', import.meta.url), 'utf8');
const [, receiver = ''] = /^```js\n([\s\S]*?)^```$/m.exec(documented) ?? [];

test('the receiver of the documentation accepts what is sent, and refuses what is not signed', async () => {
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

test.each([
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
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text], {
      env: { ...childEnv, URL: server.url, KEY: key.secret, WEBHOOK: webhook.id },
    });
    expect(stdout).toBe('active\n');
    const messages = await messagesOf(target, failed + 3);
    expect(messages.slice(failed).map(({ data }) => data.version)).toEqual([1, 2, 3]);
  },
);

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { childEnv } from '../support/child-env.ts';
import { freePort } from '../support/free-port.ts';
import { logChange } from '../support/log-change.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';
import { allowLoopback, createWebhook, deliveriesOf } from '../support/webhooks.ts';

const server = await shared(startTestServer({ env: allowLoopback }));
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

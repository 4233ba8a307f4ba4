import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { childEnv } from '../support/child-env.ts';
import { createEventWorld } from '../support/example-page.ts';
import { password } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/send.ts';
import { createKey, serve } from '../support/server.ts';
import { sharedFolder } from '../support/shared.ts';
import { allowLoopback, createWebhook } from '../support/webhooks.ts';

const server = await serve({ env: allowLoopback });
const folder = await sharedFolder();

it('examples/integration: makes a key, exports, keeps a copy over runs, makes a season, and resumes its webhook', async () => {
  const { owner, createEvent } = await createEventWorld(server);
  const event = await createEvent('Bread', 1);
  await send(server, owner, `POST /events/${event}/subscriptions`);
  const env = {
    ...childEnv,
    SERVICE_URL: server.url,
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: password,
    RECEIVER_PORT: String(await freePort()),
    FOLDER: folder,
  };
  const start = async (others: object = {}) => {
    const root = path.join(import.meta.dirname, '..', '..');
    const { stdout } = await promisify(execFile)('npm', ['start', '-s', '-w', 'examples/integration'], {
      cwd: root,
      env: { ...env, ...others },
    });
    return stdout;
  };
  const copy = async () => JSON.parse(await readFile(path.join(folder, 'copy.json'), 'utf8'));
  const expectNothingLeft = async () => {
    for (const path of ['/api-keys', '/webhooks']) {
      expect((await send<{ items: unknown[] }>(server, owner, `GET ${path}`)).body.items).toEqual([]);
    }
  };
  const first = await start();
  expect(first).toMatch(/^key: evk_/m);
  expect(first).toMatch(/^copy: \d+ changes, 51 events$/m);
  expect(first).toMatch(/^season: 3 events, 6 subscriptions$/m);
  expect(first.match(/^webhook: event.created [\da-f-]{36}$/gm)).toHaveLength(3);
  expect(first).toContain('webhook: the test was delivered');
  expect(first).toContain('webhook: what is not signed gets 400');
  expect(first).toMatch(/^copy: 6 more, 54 events$/m);
  expect(first).toMatch(/^summary: 2 exports, a copy of 54 events, a season of 3$/m);
  expect(await readFile(path.join(folder, 'subscriptions.csv'), 'utf8')).toContain(owner.email);
  const lines = (await readFile(path.join(folder, 'subscriptions.ndjson'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event_id: event, user: { email: owner.email } }]);
  expect((await copy()).events[event]).toEqual({ name: 'Bread', status: 1, accepted_count: 1 });

  // the second run goes on from the cursor: only what happened since then
  await send(server, owner, `PATCH /events/${event}`, { name: 'Rye bread' });
  const second = await start();
  expect(second).toMatch(/^copy: 1 changes, 54 events$/m);
  expect((await copy()).events[event]).toMatchObject({ name: 'Rye bread' });
  await expectNothingLeft();

  // a run that fails, after one that was killed
  await createKey(server, owner, { name: 'Integration' });
  await createWebhook(server, owner, { url: 'http://127.0.0.1:9/', description: 'Integration' });
  await expect(start({ RECEIVER_PORT: '-1' })).rejects.toThrow('VALIDATION_ERROR');
  await expectNothingLeft();
});

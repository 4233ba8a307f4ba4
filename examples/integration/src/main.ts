import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client, createClient } from 'events-gateway-client';
import { mirror } from './mirror.ts';
import { startReceiver } from './receiver.ts';

const {
  SERVICE_URL: url = 'http://localhost:3000',
  OWNER_EMAIL: email = 'owner@demo.example',
  OWNER_PASSWORD: password = 'demo-events-2468',
  RECEIVER_PORT = '8080',
  FOLDER: folder = '.data',
} = process.env;
await mkdir(folder, { recursive: true });

const owner = createClient({ url });
await owner.signIn({ email, password });
const { organizations } = await owner.get('/auth/me');
owner.switchOrganization(organizations.find(({ role }) => role === 'owner')?.id);
try {
  // of a run that was killed
  await cleanUp();
  // a person makes the key, once; a service of yours gets it as a secret
  const key = await owner.post('/api-keys', { body: { name: 'Integration', role: 'manager', access: 'write' } });
  console.log(`key: ${key.prefix}…`);
  await run(createClient({ url, apiKey: key.secret }));
} finally {
  // only since this is an example, which may run again
  await cleanUp();
}

async function run(client: Client): Promise<void> {
  // an export is a file: it is streamed from the answer to the disk
  for (const format of ['csv', 'ndjson']) {
    const answer = await client.fetch(`${url}/subscriptions/export?format=${format}&include=user`);
    if (!answer.ok || !answer.body) throw new Error(`The export was refused: ${await answer.text()}`);
    const file = path.join(folder, `subscriptions.${format}`);
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file));
    console.log(`export: ${file}`);
  }

  const copy = path.join(folder, 'copy.json');
  const first = await mirror(client, copy);
  console.log(`copy: ${first.changes} changes, ${first.events} events`);

  // the service sends changes to the receiver, which lets it go on while this program is away
  const received: string[] = [];
  const arrived = Promise.withResolvers<void>();
  let secret = '';
  const receiver = await startReceiver(
    Number(RECEIVER_PORT),
    () => secret,
    ({ type, data }) => {
      received.push(type);
      if (type === 'event.created') arrived.resolve(console.log(`webhook: ${type} ${data.object_id}`));
    },
  );
  try {
    const webhook = await owner.post('/webhooks', {
      body: { url: `http://127.0.0.1:${RECEIVER_PORT}/`, kinds: ['event'], description: 'Integration' },
    });
    secret = webhook.secret;
    const tested = await owner.post('/webhooks/{webhook}/test', { params: { path: { webhook: webhook.id } } });
    console.log(`webhook: the test was ${tested.delivered ? 'delivered' : `not delivered: ${tested.error}`}`);
    const forged = await fetch(`http://127.0.0.1:${RECEIVER_PORT}/`, { method: 'POST', body: '{}' });
    console.log(`webhook: what is not signed gets ${forged.status}`);

    const dates = { date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z' };
    const event = await client.post('/events', { body: { name: 'Made by the integration', ...dates } });
    await Promise.race([
      arrived.promise,
      new Promise((_, reject) => setTimeout(reject, 20_000, new Error('The webhook sent nothing.')).unref()),
    ]);
    const second = await mirror(client, copy);
    console.log(`copy: ${second.changes} more, ${second.events} events`);
    await client.delete('/events/{event}', { params: { path: { event: event.id } } });
    console.log(`summary: 2 exports, a copy of ${second.events} events, ${received.length} signed messages`);
  } finally {
    receiver.close();
  }
}

/** Deletes the keys and webhooks of this program. */
async function cleanUp(): Promise<void> {
  const { items: keys } = await owner.get('/api-keys', { params: { query: {} } });
  for (const { id, name } of keys) {
    if (name === 'Integration') await owner.delete('/api-keys/{key}', { params: { path: { key: id } } });
  }
  const { items: webhooks } = await owner.get('/webhooks', { params: { query: {} } });
  for (const { id, description } of webhooks) {
    if (description === 'Integration') await owner.delete('/webhooks/{webhook}', { params: { path: { webhook: id } } });
  }
}

import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client, createClient } from 'events-gateway-client';
import { mirror } from './mirror.ts';
import { resume, startReceiver } from './receiver.ts';
import { createSeason } from './season.ts';

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
  const key = await owner.post('/api-keys', {
    body: { name: 'Integration', role: 'manager', access: 'write', webhooks: true },
  });
  console.log(`key: ${key.prefix}…`);
  await run(createClient({ url, apiKey: key.secret, deadline: 120_000 }));
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

  // the receiver is down while the season is made
  const webhook = await owner.post('/webhooks', {
    body: { url: `http://127.0.0.1:${RECEIVER_PORT}/`, kinds: ['event'], description: 'Integration' },
  });
  const { items: members } = await client.get('/members', { params: { query: { fields: ['user_id'], limit: 10 } } });
  const people = members.map(({ user_id }) => user_id);
  const dates = { date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z' };
  const courses = [1, 2, 3].map((number) => ({ name: `Course ${number} of the integration`, ...dates, people }));
  const { events, subscribed } = await createSeason(client, 'spring', courses);
  console.log(`season: ${events.length} events, ${subscribed} subscriptions`);

  const missed = new Set(events);
  const arrived = Promise.withResolvers<void>();
  const receiver = await startReceiver(Number(RECEIVER_PORT), webhook.secret, ({ type, data }) => {
    if (!missed.delete(data.object_id)) return;
    console.log(`webhook: ${type} ${data.object_id}`);
    if (missed.size === 0) arrived.resolve();
  });
  try {
    await resume(client, webhook.id);
    await Promise.race([
      arrived.promise,
      new Promise((_, reject) => setTimeout(reject, 20_000, new Error('The webhook did not send all.')).unref()),
    ]);
    const tested = await client.post('/webhooks/{webhook}/test', { params: { path: { webhook: webhook.id } } });
    console.log(`webhook: the test was ${tested.delivered ? 'delivered' : `not delivered: ${tested.error}`}`);
    const forged = await fetch(`http://127.0.0.1:${RECEIVER_PORT}/`, { method: 'POST', body: '{}' });
    console.log(`webhook: what is not signed gets ${forged.status}`);

    const second = await mirror(client, copy);
    console.log(`copy: ${second.changes} more, ${second.events} events`);
    console.log(`summary: 2 exports, a copy of ${second.events} events, a season of ${events.length}`);
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

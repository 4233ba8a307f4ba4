import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openOrm } from '../support/database.ts';
import { createEventWorld } from '../support/example-page.ts';
import { insertMember, insertOrganization, password } from '../support/fixtures.ts';
import { fromSources, programOf } from '../support/guide-steps.ts';
import { childEnv, freePort } from '../support/programs.ts';
import { send } from '../support/send.ts';
import { createKey, serve, signIn } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { prepareStarts } from '../support/started-service.ts';
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
    const { stdout } = await promisify(execFile)('npm', ['start', '-s', '-w', 'examples/integration'], {
      cwd: path.join(import.meta.dirname, '..', '..'),
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

const { databaseUrl, start } = await prepareStarts();
const { orm } = await shared(openOrm({ url: databaseUrl }));

const season = new URL('../../examples/integration/src/season.ts', import.meta.url).href;
/** The program of the guide, and one that runs the function of the example. */
const programs = {
  guide: programOf('integrate-a-server.md', 'season.mjs'),
  example: fromSources(`import { createClient } from 'events-gateway-client';
    import { createSeason } from '${season}';
    const client = createClient({ url: process.env.URL, apiKey: process.env.KEY, deadline: 120_000 });
    const { items } = await client.get('/members', { params: { query: { limit: 10 } } });
    const people = items.map(({ user_id }) => user_id);
    const dates = { date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z' };
    const courses = Array.from({ length: 200 }, (_, number) => ({ name: 'Course ' + number, ...dates, people }));
    const { subscribed } = await createSeason(client, 'spring', courses);
    console.log(subscribed + ' subscriptions');`),
};

/** What an organization has: events, subscriptions, different ones, the sum of `accepted_count`, and audit entries. */
async function contentsOf({ organizationId }: { organizationId: string }) {
  const [row] = await orm.em.fork().execute(
    `select count(distinct e.id)::int as events, count(s)::int as subscriptions,
        count(distinct (s.event_id, s.user_id))::int as distinct_subscriptions,
        (select sum(accepted_count)::int from event where organization_id = ?) as accepted,
        (select count(*)::int from audit_entry where organization_id = ? and action = 'subscriptions.created') as entries,
        (select count(distinct subject_id)::int from audit_entry
          where organization_id = ? and action = 'subscriptions.created') as subjects
      from event e left join subscription s on s.event_id = e.id where e.organization_id = ?`,
    Array(4).fill(organizationId),
  );
  return row as Record<string, number>;
}

it('2,000 subscriptions of 200 events are made exactly once, on one key, though service and program are killed', async () => {
  // the limits are those of production
  const env = { DATABASE_URL: databaseUrl, PORT: String(await freePort()), LOG_LEVEL: 'error' };
  let service = await start(env);
  const prepare = async ([name, program]: [string, string]) => {
    const { id: organizationId } = await insertOrganization(orm);
    const { email } = await insertMember(orm, { organizationId, role: 'owner' });
    for (let count = 1; count < 10; count += 1) await insertMember(orm, { organizationId });
    const { secret } = await createKey(service, { ...(await signIn(service.url, email)), organizationId });
    const file = path.join(folder, `${name}.mjs`);
    await writeFile(file, program);
    const args = ['--conditions=workspace', file];
    const begin = () =>
      promisify(execFile)(process.execPath, args, { env: { ...childEnv, URL: service.url, KEY: secret } });
    return { name, organizationId, begin };
  };
  const seasons = await Promise.all(Object.entries(programs).map(prepare));
  const begun = performance.now();
  const killed = seasons.map(({ begin }) => begin());
  const least = async () =>
    Math.min(...(await Promise.all(seasons.map(async (each) => (await contentsOf(each)).subscriptions ?? 0))));
  await expect.poll(least, { interval: 20 }).toBeGreaterThan(300);
  for (const { child } of killed) child.kill('SIGKILL');
  await Promise.all([Promise.allSettled(killed), service.stop('SIGKILL')]);
  service = await start(env);
  const seen = await least();
  const running = seasons.map(async ({ name, begin }) => {
    const { stdout } = await begin();
    console.log(`${name}: ${Math.round((performance.now() - begun) / 100) / 10} s on one key`);
    return stdout;
  });
  await expect.poll(least, { interval: 20 }).toBeGreaterThan(seen);
  await service.stop('SIGKILL');
  // the programs meet a service that is away for a moment
  await sleep(1_000);
  expect(await least()).toBeLessThan(2_000);
  await start(env);
  for (const [index, season] of seasons.entries()) {
    expect(await running[index]).toBe('2000 subscriptions\n');
    expect(await contentsOf(season)).toEqual({
      ...{ events: 200, subscriptions: 2_000, distinct_subscriptions: 2_000, accepted: 2_000 },
      ...{ entries: 200, subjects: 200 },
    });
  }
}, 300_000);

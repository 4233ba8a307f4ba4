import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startStrictBrowser } from '../support/browser.ts';
import {
  createEventWorld,
  itemOf,
  localhost,
  openExample,
  pageExamples,
  signInOnPage,
} from '../support/example-page.ts';
import { fromSources, programOf } from '../support/guide-steps.ts';
import { logChange, loseChanges } from '../support/log-change.ts';
import { startPathProxy } from '../support/path-proxy.ts';
import { childEnv, freePort } from '../support/programs.ts';
import { send } from '../support/send.ts';
import { createKey, createTeam, serve } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { subscribing } from '../support/subscribing.ts';

const question = { key: 'dish', type: 'text', label: 'What do you bring?', required: true };
/** Vite bundles the packages of a page when it starts for the first time. */
const slow = { timeout: 60_000 };
const root = path.join(import.meta.dirname, '..', '..');
const server = await serve();

it('what the compiler of Relay makes is committed; run `npm run build -w examples/relay` if this fails', async () => {
  const command = ['exec', '-w', 'examples/relay', '--', 'relay-compiler', '--validate'];
  await promisify(execFile)('npm', command, { cwd: root, env: childEnv });
});

it.each(pageExamples)(
  'examples/%s: one command starts it, and its page works without a line in the console',
  async (name) => {
    const world = await createEventWorld(server);
    const browser = await startStrictBrowser();
    const port = await freePort();
    const command = ['start', '-w', `examples/${name}`, '--', '--port', String(port)];
    const env = { ...childEnv, VITE_SERVICE_URL: localhost(server.url) };
    // a group of its own, since npm does not end what it has started
    const child = spawn('npm', command, { cwd: root, env, detached: true, stdio: 'ignore' });
    try {
      await expect
        .poll(
          () =>
            fetch(`http://localhost:${port}`).then(
              ({ ok }) => ok,
              () => false,
            ),
          slow,
        )
        .toBe(true);
      const { page, complaints } = await openExample(browser, `http://localhost:${port}`);
      await signInOnPage(page, world.email);
      await page.getByLabel('Name contains').fill('bread');
      await page.getByLabel('Status').selectOption('ACTIVE');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('No events from now on.').waitFor();
      const event = await world.createEvent('Bread', 1);
      await send(server, world.owner, `PUT /events/${event}/form`, { questions: [question] });
      const item = itemOf(page, 'Bread');
      await item.getByRole('button', { name: 'Subscribe' }).click();
      await item.getByLabel(question.label).fill('A pie');
      await item.getByRole('button', { name: 'Send answers' }).click();
      await item.getByText('You have a place.').waitFor();
      await send(server, world.owner, `POST /events/${event}/subscriptions`, {
        answers: { dish: 'Jam' },
        form_version: 1,
      });
      await item.getByText('2 places taken').waitFor();
      await item.getByRole('button', { name: 'Cancel' }).click();
      await item.getByText('1 places taken').waitFor();
      expect.soft(complaints).toEqual([]);
      await send(server, world.owner, `PATCH /events/${event}`, { status: 2 });
      await page.getByText('No events from now on.').waitFor();
      expect(complaints).toEqual([]);
    } finally {
      process.kill(-(child.pid as number));
      await Promise.all([once(child, 'exit'), browser.close()]);
    }
  },
);

const mirror = new URL('../../examples/integration/src/mirror.ts', import.meta.url).href;
/** The program of the guide, and one that runs the copy of the example. */
const programs = {
  'docs/guides/keep-a-copy.md': programOf('keep-a-copy.md', 'mirror.mjs'),
  'examples/integration': fromSources(`import { createClient } from 'events-gateway-client';
    import { mirror } from '${mirror}';
    const client = createClient({ url: process.env.URL, apiKey: process.env.KEY });
    do {
      const { changes: applied, events } = await mirror(client, 'copy.json');
      console.log(JSON.stringify({ applied, events }));
    } while (process.env.FOLLOW);`),
};

describe.each(Object.entries(programs))('the copy of %s', async (_name, program) => {
  const team = await createTeam(server);
  const { event } = subscribing(server, team);
  const folder = await sharedFolder();
  await writeFile(path.join(folder, 'mirror.mjs'), program);
  const { secret } = await createKey(server, team.owner, { role: 'manager' });
  let refused = 0;
  // each third request for changes is refused once
  const refuses = ({ url = '' }: { url?: string }) => {
    refused += url.startsWith('/changes') ? 1 : 0;
    return url.startsWith('/changes') && refused % 3 === 2;
  };
  const proxy = await shared(startPathProxy('', refuses));
  proxy.serve(server.url);
  const env = { ...childEnv, URL: proxy.url, KEY: secret };
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  const args = ['--conditions=workspace', 'mirror.mjs'];
  const run = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    return JSON.parse(stdout) as { applied: number; events: number };
  };
  const file = () => path.join(folder, 'copy.json');
  const readCopy = async () =>
    JSON.parse(await readFile(file(), 'utf8')) as { cursor: string; events: Record<string, { name: string }> };
  const expectSame = async () => {
    const { body } = await send<{ items: { id: string; name: string }[] }>(server, team.owner, 'GET /events?limit=50');
    const { events } = await readCopy();
    const copied = Object.entries(events).map(([id, { name }]) => [id, name]);
    expect(new Map(copied as [string, string][])).toEqual(new Map(body.items.map(({ id, name }) => [id, name])));
  };

  it('has what was there, what is changed, and not what is deleted', async () => {
    const [first, second] = [await event({ name: 'Soap', status: 0 }), await event({ name: 'Bread' })];
    expect(await run()).toEqual({ applied: 0, events: 2 });
    await send(server, team.owner, `DELETE /events/${first.id}`);
    await send(server, team.owner, `PATCH /events/${second.id}`, { name: 'Rye bread' });
    await event({ name: 'Wool' });
    expect(await run()).toEqual({ applied: 3, events: 2 });
    await expectSame();
  });

  it('reads the list again at a refetch', async () => {
    const { id } = await event({ name: 'Felt' });
    await run();
    // what a refetch stands for is in no other change
    await server.orm.em.fork().execute(`update event set name = 'Grey felt' where id = ?`, [id]);
    await logChange(server, team.organizationId, { op: 'refetch', object_id: null });
    expect((await run()).applied).toBe(1);
    await expectSame();
  });

  it('begins again after 410, and after 400 INVALID_CURSOR', async () => {
    const { id } = await event({ name: 'Cork' });
    await run();
    await loseChanges(server, id);
    await event({ name: 'Straw' });
    expect((await run()).applied).toBe(0);
    await expectSame();
    await writeFile(file(), JSON.stringify({ ...(await readCopy()), cursor: 'sealed-with-a-revoked-secret' }));
    await event({ name: 'Clay' });
    expect((await run()).applied).toBe(0);
    await expectSame();
  });

  it('is whole whenever the program is killed, and goes on from there', async () => {
    for (let round = 0; round < 4; round += 1) {
      const child = spawn(process.execPath, args, { cwd: folder, env: { ...env, FOLLOW: '1' }, stdio: 'ignore' });
      children.push(child);
      const { cursor } = await readCopy();
      await event({ name: `Round ${round}` });
      await expect.poll(async () => (await readCopy()).cursor).not.toBe(cursor);
      const more = Array.from({ length: 5 }, () => event({ name: `Late in round ${round}` }));
      await sleep(Math.random() * 100);
      child.kill('SIGKILL');
      await Promise.all(more);
      expect((await readCopy()).cursor).toEqual(expect.any(String));
    }
    await run();
    await expectSame();
  });

  it('waits where it is refused for a moment', () => {
    expect(refused).toBeGreaterThan(2);
  });
});

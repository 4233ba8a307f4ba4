import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startStrictBrowser } from '../support/browser.ts';
import {
  createEventWorld,
  itemOf,
  localhost,
  openExample,
  pageExamples,
  signInOnPage,
} from '../support/example-page.ts';
import { childEnv, freePort } from '../support/programs.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/server.ts';

const question = { key: 'dish', type: 'text', label: 'What do you bring?', required: true };
/** Vite bundles the packages of a page when it starts for the first time. */
const slow = { timeout: 60_000 };
const root = path.join(import.meta.dirname, '..', '..');

it('what the compiler of Relay makes is committed; run `npm run build -w examples/relay` if this fails', async () => {
  const command = ['exec', '-w', 'examples/relay', '--', 'relay-compiler', '--validate'];
  await promisify(execFile)('npm', command, { cwd: root, env: childEnv });
});

it.each(pageExamples)(
  'examples/%s: one command starts it, and its page works without a line in the console',
  async (name) => {
    const server = await serve();
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

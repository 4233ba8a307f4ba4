import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EmbeddedServer } from '#embedded-postgres';
import { ask } from '../support/database.ts';
import { insertSubscription } from '../support/fixtures.ts';
import { countMails, settleMails } from '../support/guests.ts';
import { endOfStep, expectPrinted, stepsOf } from '../support/guide-steps.ts';
import { commandsOf, runBlock } from '../support/operation-guide.ts';
import { startPostgres } from '../support/postgres.ts';
import { childEnv, freePort, lacks } from '../support/programs.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { createTeam, serve } from '../support/server.ts';
import { sharedFolder } from '../support/shared.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '..', '..');
/** The ports of the guide and of the files that it uses. */
const ports = ['3001', '3002', '8080', '9101', '9102'];

const ops = 'node_modules/events-gateway/ops';

const folder = await sharedFolder();
let cluster: EmbeddedServer;
beforeAll(async () => {
  cluster = await startPostgres({
    dataDir: path.join(folder, 'database'),
    serverSettings: { fsync: 'off', shared_buffers: '64MB' },
  });
  // as the package is installed, but not compiled
  const program = path.join(folder, 'node_modules', '.bin', 'events-gateway');
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, `#!/bin/sh\nexec node ${path.join(root, 'src/commands/events-gateway.ts')} "$@"\n`, {
    mode: 0o755,
  });
  await cp(path.join(root, 'ops'), path.join(folder, ops), { recursive: true });
});
afterAll(async () => {
  await killAll();
  await cluster.stop();
});

/** Ends what the guide started, which it leaves running. */
async function killAll(): Promise<void> {
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.pid'))) {
    try {
      process.kill(Number(await readFile(path.join(folder, file), 'utf8')), 'SIGKILL');
    } catch {
      // it has ended
    }
  }
}

const skipped = ['psql', 'haproxy'].some((name) => lacks(name));
it.skipIf(skipped)('install.md: every command does what it says', { timeout: 360_000 }, async () => {
  const free = new Map<string, string>();
  for (const port of ports) free.set(port, `${await freePort()}`);
  const withFreePorts = (text: string) =>
    text.replace(/(?<=[ :])(3001|3002|8080|9101|9102)\b/g, (port) => free.get(port) as string);
  const proxy = path.join(folder, ops, 'proxies/haproxy.cfg');
  await writeFile(proxy, withFreePorts(await readFile(proxy, 'utf8')));
  const { host, username, password } = new URL(cluster.superuserUrl);
  const steps = stepsOf('../operate/install.md');
  expect(steps.length).toBeGreaterThan(8);
  const commands = steps.map(({ text }) =>
    withFreePorts(text).replace('postgres:secret@', `${username}:${password}@`).replaceAll('127.0.0.1:5432', host),
  );
  const script = ['set -euo pipefail', ...commands.flatMap((each) => [each, `echo; echo '${endOfStep}'`])].join('\n');
  const sbin = [path.dirname(process.execPath), childEnv.PATH, '/usr/sbin', '/usr/local/sbin'].join(path.delimiter);
  const { stdout } = await run('bash', ['-c', script], {
    cwd: folder,
    env: { ...childEnv, PATH: sbin, DRAIN_SECONDS: '1' },
  });
  expectPrinted(steps, stdout);
});

// An organization moves from one service to another, with the commands as they are written (docs/operate/move-an-organization.md).

const first = await serve();
const second = await serve();

it('the second service has what the first had, and nobody is told that an event is cancelled', async () => {
  const { organizationId: id, member } = await createTeam(first);
  const event = await insertPublicEvent(first, { organizationId: id, slug: 'bread' });
  await insertSubscription(first.orm, { eventId: event.id, userId: member.userId, status: 'accepted' });
  await settleMails(first);
  const mails = await countMails(first, member.email);

  const [commands = ''] = commandsOf('move-an-organization.md', 'Move an organization');
  const exported = path.join(folder, 'organization.json');
  const urls = { FIRST_DATABASE_URL: first.databaseUrl, SECOND_DATABASE_URL: second.databaseUrl };
  await runBlock(commands, { 'organization.json': exported }, { ...urls, ID: id });

  first.services.jobs.nudge('periodic');
  await expect.poll(() => ask(first.databaseUrl, 'select id from organization'), { timeout: 30_000 }).toEqual([]);
  expect(await countMails(first, member.email)).toBe(mails);
  const query = 'events-gateway export --organization "$ID"';
  const again = JSON.parse(await runBlock(query, {}, { DATABASE_URL: second.databaseUrl, ID: id }));
  expect(again).toEqual(JSON.parse(await readFile(exported, 'utf8')));
  expect(again).toMatchObject({ events: [{ id: event.id }], subscriptions: [{ event_id: event.id }] });
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ask } from '../support/database.ts';
import { insertSubscription } from '../support/fixtures.ts';
import { countMails, settleMails } from '../support/mail.ts';
import { commandsOf, runBlock } from '../support/operation-guide.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { serve } from '../support/server.ts';
import { sharedFolder } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';

// An organization moves from one service to another, with the commands as they are written (docs/operate/move-an-organization.md).

const folder = await sharedFolder();
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

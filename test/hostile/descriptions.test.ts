import { expect, it } from 'vitest';
import { bestOf, startWatchedService } from '../support/child-service.ts';
import { organizer } from '../support/organizer.ts';
import { serve } from '../support/server.ts';

// Whatever a description is, pages and calendars with it let others have their turn (note 0052).

const server = await serve();
const service = await startWatchedService(server);

const readers = 8;
const calendarSize = 60;
const five = (unit: string, separator = '\n\n') =>
  Array.from({ length: 5 }, () => unit.repeat(1_490 / unit.length)).join(separator);
const hostile = [
  five('*_a'),
  five('*_a', '\n\u00a0\n'),
  '*_a\n\f\n'.repeat(3_000),
  '[['.repeat(10_000),
  '![a'.repeat(6_600),
];

/** Writes a text that nobody has read yet into every event of an organization. */
async function describeAnew(organizationId: string, text: string, round: number): Promise<void> {
  await server.execute(
    `update event set description = ? || ' ' || id || e'\n\n' || ?, updated_at = now() where organization_id = ?`,
    [round, text, organizationId],
  );
}

async function read(target: string): Promise<void> {
  const response = await fetch(service.url + target);
  expect([response.status, (await response.text()).length > 1_000]).toEqual([200, true]);
}

it('a page takes at most 100 ms of the thread', async () => {
  const place = await organizer(server);
  const event = await place.event();
  const turns: [string, number][] = [];
  for (const text of hostile) {
    const turn = await bestOf(100, async (round) => {
      await describeAnew(place.organizationId, text, round);
      await service.longestTurn();
      await read(place.pathOf(event));
      return await service.longestTurn();
    });
    turns.push([text.slice(0, 9), turn]);
  }
  expect(turns.filter(([, turn]) => turn >= 100)).toEqual([]);
}, 120_000);

it('a calendar is made in turns of at most 50 ms', async () => {
  const place = await organizer(server);
  for (let index = 0; index < calendarSize; index += 1) await place.event();
  const turn = await bestOf(50, async (round) => {
    await describeAnew(place.organizationId, hostile[round % hostile.length] as string, round);
    await service.longestTurn();
    await read(`${place.list}/events.ics`);
    return await service.longestTurn();
  });
  expect(turn).toBeLessThan(50);
}, 120_000);

it.each(['pages', 'calendars'])('eight readers of %s keep nobody waiting', { timeout: 120_000 }, async (what) => {
  const place = await organizer(server);
  const events: { slug: string }[] = [];
  for (let index = 0; index < readers; index += 1) events.push(await place.event());
  const wait = await bestOf(300, async (round) => {
    await describeAnew(place.organizationId, hostile[(round + 1) % hostile.length] as string, round);
    const targets = events.map((event) => (what === 'pages' ? place.pathOf(event) : `${place.list}/events.ics`));
    return await service.longestWait(Promise.all(targets.map(read)));
  });
  expect(wait).toBeLessThan(300);
});

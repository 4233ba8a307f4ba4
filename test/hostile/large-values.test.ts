import { describe, expect, it } from 'vitest';
import { startChildService } from '../support/child-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertMember, insertOrganization } from '../support/fixtures.ts';
import { type Caller, graphql, send } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { insertSubscribers } from '../support/subscribing.ts';

const mebibyte = 1024 * 1024;
const attackers = 8;

const database = await shared(createTestDatabase());
const dataDir = await sharedFolder();
const service = await shared(
  startChildService(
    { DATABASE_URL: database.url, DATA_DIR: dataDir, RATE_LIMIT: 'off', DATABASE_POOL_SIZE: '20' },
    [],
    ['--max-old-space-size=512'],
  ),
);
/** Managers of organizations of their own, which anybody may found. */
const managers: Caller[] = [];
/** For each of them an event with 100 pending subscriptions, each with answers of 1 MB. */
const targets: { eventId: string; ids: string[] }[] = [];
const join = async () => {
  const { id: organizationId } = await insertOrganization(database.orm);
  const { email } = await insertMember(database.orm, { organizationId, role: 'manager' });
  const { accessToken } = await signIn(service.url, email);
  const dateStart = new Date(Date.now() + 86_400_000);
  const { id: eventId } = await insertEvent(database.orm, { organizationId, dateStart });
  return { caller: { accessToken, organizationId }, eventId };
};
const answers = `jsonb_build_object('text', repeat('x', 1000000))`;
for (let index = 0; index < attackers; index += 1) {
  const { caller, eventId } = await join();
  managers.push(caller);
  const ids = await insertSubscribers(database.orm, eventId, 100, 'pending');
  await database.execute(`update subscription set answers = ${answers} where event_id = ?`, [eventId]);
  targets.push({ eventId, ids });
}
const { caller: bystander, eventId: small } = await join();

/** Fifteen mutations, each of which answers with five large rows: a kilobyte asks for 75 MB. */
function fifteen(ids: readonly string[]): string {
  const mutation = (index: number) =>
    `m${index}: updateEventSubscriptions(input: {ids: [${ids
      .slice(index * 5, index * 5 + 5)
      .map((id) => `"${id}"`)
      .join()}], status: ACCEPTED, notify: false}) { eventSubscriptions { answers } }`;
  return `mutation { ${Array.from({ length: 15 }, (_, index) => mutation(index)).join(' ')} }`;
}

const attacks = {
  'POST …/transition': async (index: number) => {
    const { eventId, ids } = targets[index] as (typeof targets)[number];
    const moved = { ids, status: 'accepted', notify: false };
    const path = `POST /events/${eventId}/subscriptions/transition`;
    return (await send(service, managers[index] as Caller, path, moved)).text;
  },
  'GraphQL mutations under a key': async (index: number) => {
    const { ids } = targets[index] as (typeof targets)[number];
    const key = { 'idempotency-key': `attack-${index}` };
    return (await graphql(service, managers[index] as Caller, fifteen(ids), undefined, key)).text;
  },
  'GraphQL pages': async (index: number) => {
    const { eventId } = targets[index] as (typeof targets)[number];
    // each of them would fit
    const page = (size: number) => `s${size}: subscriptions(first: ${size}) { nodes { answers } }`;
    const pages = Array.from({ length: 15 }, (_, less) => page(50 - less)).join(' ');
    return (await graphql(service, managers[index] as Caller, `{ event(id: "${eventId}") { ${pages} } }`)).text;
  },
};

describe.each(Object.entries(attacks))('%s over answers of 1 MB', (_name, attack) => {
  it('is refused before anything is committed, even in parallel, and others are served', {
    timeout: 180_000,
  }, async () => {
    await attack(0);
    const before = service.residentBytes();
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, service.residentBytes());
    }, 100);
    let served = 0;
    let over = false;
    const serve = async () => {
      while (!over) {
        const list = await send(service, bystander, 'GET /events');
        expect(list.status, list.text).toBe(200);
        const location = `Room ${served}`;
        const write = await send(service, bystander, `PATCH /events/${small}`, { location });
        expect(write.status, write.text).toBe(200);
        served += 1;
      }
    };
    const serving = serve();
    const twice = async (index: number) => [await attack(index), await attack(index)];
    const answers = (await Promise.all(managers.map((_, index) => twice(index)))).flat();
    over = true;
    await serving;
    clearInterval(watching);
    // who found no room in time is told so, and may try again
    for (const text of answers) expect(text.slice(0, 2_000)).toMatch(/INVALID_QUERY|SERVICE_UNAVAILABLE/);
    expect(answers.some((text) => text.includes('16 MB'))).toBe(true);
    expect(served).toBeGreaterThan(3);
    process.stderr.write(
      `resident: ${Math.round(before / mebibyte)} before, ${Math.round(most / mebibyte)} MiB at most; served ${served}\n`,
    );
    // without bounds, eight of these pages are 5 GB; what earlier attacks left resident differs from run to run
    expect(most - before).toBeLessThan(500 * mebibyte);
    expect(most).toBeLessThan(1_024 * mebibyte);
    const moved = await database.execute(`select from subscription where status <> 'pending'`);
    expect(moved).toHaveLength(0);
  });
});

it('whoever does with less is answered at once afterwards', async () => {
  const { eventId, ids } = targets[0] as (typeof targets)[number];
  const path = `POST /events/${eventId}/subscriptions/transition`;
  const body = { ids: ids.slice(0, 10), status: 'accepted', notify: false };
  const moved = await send<{ items: unknown[] }>(service, managers[0] as Caller, path, body);
  expect([moved.status, moved.body.items.length]).toEqual([200, 10]);
});

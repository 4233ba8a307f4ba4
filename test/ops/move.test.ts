import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Journal } from '../chaos/journal.ts';
import { startWriters } from '../chaos/writers.ts';
import { createKey } from '../support/api-keys.ts';
import { ask } from '../support/database.ts';
import { guestAddress } from '../support/guests.ts';
import { insertPublicEvent } from '../support/public-world.ts';
import { send } from '../support/send.ts';
import { type Shards, startRouter, startShards } from '../support/shards.ts';
import { createTeam } from '../support/team.ts';

// An organization moves from one service to another, each with a PostgreSQL of its own, while it is written to
// (docs/operations/scale.md#moving-an-organization).

let shards: Shards;
beforeAll(async () => {
  shards = await startShards();
}, 120_000);
afterAll(() => shards.close());

const at = (server: { databaseUrl: string }, statement: string) => ask(server.databaseUrl, statement);

/** Requests of guests, one after the other, each repeated until it is acknowledged. Returns the addresses that were. */
function startGuests(url: string, organizationId: string, event: string) {
  const acknowledged: string[] = [];
  const refused = new Set<string>();
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      const email = guestAddress();
      const answer = await send({ url }, { organizationId }, `POST /public/events/${event}/subscriptions`, {
        email,
        name: 'Grace',
      });
      if (answer.status === 200) acknowledged.push(email);
      else refused.add(`${answer.status} ${answer.headers.get('retry-after') !== null}`);
      await sleep(20);
    }
  };
  const running = run();
  return {
    acknowledged,
    refused,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

describe('organizations move', () => {
  it('takes everything along while both faces, keys and guests write, and loses nothing', async () => {
    const { one, two } = shards;
    const team = await createTeam(one);
    const { organizationId } = team;
    const key = await createKey(one, team.owner);
    const event = await insertPublicEvent(one, { organizationId });
    const router = await startRouter(shards);
    const journal = new Journal();
    const headers = () => ({ authorization: `Bearer ${key.secret}`, 'x-organization-id': organizationId });
    const writers = startWriters(journal, router.url, headers, 6);
    const guests = startGuests(router.url, organizationId, event.id);
    const enough = async (more: number) => {
      const [events, requests] = [journal.events.size + more, guests.acknowledged.length + 5];
      while (journal.events.size < events || guests.acknowledged.length < requests) await sleep(20);
    };
    await enough(20);
    const moved = await shards.move(organizationId);
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining(`Moved to ${two.url}`)]);
    await enough(20);
    await writers.stop();
    await guests.stop();
    router.close();

    expect(journal.strange).toEqual([]);
    expect([...guests.refused].filter((each) => each !== '503 true')).toEqual([]);
    const rows = await at(
      two,
      `select id, name, version, (select count(*)::int from audit_entry a
          where a.subject_id = e.id and a.action = 'event.created') as audits
        from event e where organization_id = '${organizationId}' and name like 'Chaos %'`,
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { name, version }] of journal.events) {
      expect(found.get(id), name).toMatchObject({ name, audits: 1 });
      expect(Number(found.get(id)?.version)).toBeGreaterThanOrEqual(version);
    }
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    const requests = await at(two, `select email from guest_request where event_id = '${event.id}'`);
    const asked = requests.map(({ email }) => email as string).toSorted();
    expect(asked).toEqual([...new Set(asked)]);
    expect(guests.acknowledged.filter((email) => !asked.includes(email))).toEqual([]);
    expect(await at(one, `select id from organization where id = '${organizationId}'`)).toEqual([]);
    expect(await at(one, `select tgname from pg_trigger where tgname like 'a_moving%'`)).toEqual([]);
  }, 120_000);
});

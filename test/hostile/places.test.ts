import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Orm } from '../../src/db/orm.ts';
import { importInto } from '../support/import.ts';
import { type Signed, startPair } from '../support/pair.ts';
import { isoInDays } from '../support/subscribing.ts';
import type { WrittenEvent } from '../support/write-faces.ts';

// Real concurrency: two processes, both faces, one database. Each of these fails if `lockEvent` takes no lock.

// whoever is in line stays there: to be told to come back, and to come back, costs more than the request
const pair = await startPair({ READ_TIMEOUT_SECONDS: '60', LOCK_TIMEOUT_SECONDS: '60', WRITE_TIMEOUT_SECONDS: '60' });
const managers = await pair.people(3, 'manager');
const { face } = pair;

const manager = (index: number) => managers[index % managers.length] as Signed;

async function create(fields: Record<string, unknown> = {}): Promise<WrittenEvent> {
  const dates = { date_start: isoInDays(10), date_end: isoInDays(11) };
  const { value, code } = await face(0).createEvent(manager(0), { name: 'Full', status: 1, ...dates, ...fields });
  expect(code).toBeNull();
  return value;
}

const statusesOf = async (eventId: string) =>
  Object.fromEntries(
    (
      await pair.execute<{ status: string; count: number }>(
        'select status, count(*)::int as count from subscription where event_id = ? group by 1',
        [eventId],
      )
    ).map(({ status, count }) => [status, count]),
  );

/** What an event has at one moment, as one statement sees it. */
interface Places {
  capacity: number | null;
  accepted_count: number;
  accepted: number;
  waiting: string[];
  /** Users with more than one live subscription. */
  doubled: number;
  isOpen: boolean;
}

/** Reads the places of an event; `waiting` are the users on the list, in their order. */
async function readPlaces(orm: Orm, eventId: string): Promise<Places> {
  const [row] = await orm.em.fork().execute<Places[]>(
    `select e.capacity, e.accepted_count, e.status = 1 and e.date_end >= now() as "isOpen",
        (select count(*)::int from subscription s where s.event_id = e.id and s.status = 'accepted') as accepted,
        array(select s.user_id from subscription s where s.event_id = e.id and s.status = 'waitlisted'
          order by s.waiting_since, s.id) as waiting,
        (select count(*)::int from (select from subscription s where s.event_id = e.id
          and s.status in ('pending', 'accepted', 'waitlisted') group by s.user_id having count(*) > 1) d) as doubled
      from event e where e.id = ?`,
    [eventId],
  );
  return row as Places;
}

/** What must hold at every moment (reference/subscriptions.md#places), in words where it does not. */
function placeFaults({ capacity, accepted_count, accepted, waiting, doubled, isOpen }: Places): string[] {
  const free = (capacity ?? Number.POSITIVE_INFINITY) - accepted;
  return [
    ...(accepted === accepted_count ? [] : [`${accepted} are accepted, and ${accepted_count} are counted`]),
    ...(free < 0 ? [`${accepted} are accepted, for ${capacity} places`] : []),
    ...(isOpen && free > 0 && waiting.length > 0 ? [`${waiting.length} wait beside ${free} free places`] : []),
    ...(doubled === 0 ? [] : [`${doubled} people have two live subscriptions`]),
  ];
}

/** Looks at the places of an event again and again while `work` runs; what was wrong at any moment, and each look. */
async function watchPlaces(orm: Orm, eventId: string, work: () => Promise<unknown>) {
  const looks: Places[] = [];
  let done = false;
  const watching = (async () => {
    while (!done) {
      looks.push(await readPlaces(orm, eventId));
      await sleep(5);
    }
  })();
  try {
    await work();
  } finally {
    done = true;
    await watching;
  }
  looks.push(await readPlaces(orm, eventId));
  return { faults: [...new Set(looks.flatMap(placeFaults))], looks };
}

describe('the places of an event', { timeout: 120_000 }, () => {
  it('are given to 100 of 500 who subscribe at once, and 400 wait', async () => {
    const people = await pair.people(500);
    const event = await create({ capacity: 100 });
    const { faults, looks } = await watchPlaces(pair.orm, event.id, () =>
      Promise.all(
        people.map(async (person, index) => {
          const { code, value } = await face(index).subscribe(person, event.id);
          expect(code).toBeNull();
          expect(['accepted', 'waitlisted']).toContain(value.status);
        }),
      ),
    );
    expect(faults).toEqual([]);
    expect(looks.length).toBeGreaterThan(5);
    expect(await statusesOf(event.id)).toEqual({ accepted: 100, waitlisted: 400 });
    const [{ times, entries } = { times: 0, entries: 0 }] = await pair.execute<{ times: number; entries: number }>(
      `select count(distinct waiting_since)::int as times,
            (select count(*)::int from subscription_change c join subscription s on s.id = c.subscription_id
              where s.event_id = ?) as entries
          from subscription where event_id = ?`,
      [event.id, event.id],
    );
    expect({ times, entries }).toEqual({ times: 400, entries: 500 });
  });

  it('go to those who wait in their order, however many leave and add places at once', async () => {
    const [holders, waiting] = [await pair.people(20), await pair.people(60)];
    const event = await create({ capacity: 20 });
    const held: string[] = [];
    for (const person of holders) held.push((await face(0).subscribe(person, event.id)).value.id);
    for (const person of waiting) await face(1).subscribe(person, event.id);
    const order = waiting.map(({ userId }) => userId);
    const { faults, looks } = await watchPlaces(pair.orm, event.id, () =>
      Promise.all([
        ...held.map((id, index) => face(index).move(holders[index] as Signed, event.id, id, { status: 'cancelled' })),
        ...[21, 24, 29, 33, 37].map((capacity, index) =>
          face(index + 2).updateEvent(manager(index), event.id, { capacity }),
        ),
      ]),
    );
    expect(faults).toEqual([]);
    // whoever waits at any moment is the end of the list, in its order
    for (const { waiting: left } of looks) expect(left).toEqual(order.slice(order.length - left.length));
    expect(new Set(looks.map(({ waiting: left }) => left.length)).size).toBeGreaterThan(3);
    const { capacity, accepted } = looks.at(-1) as { capacity: number; accepted: number };
    expect(accepted).toBe(capacity);
  });

  it('stay honest while people come and go, managers move them, the capacity changes and an import runs', async () => {
    const people = await pair.people(60);
    const event = await create({ capacity: 15 });
    const ids: string[] = [];
    const newest = () => ids[Math.floor(Math.random() * ids.length)] as string;
    const codes = new Set<string>();
    const note = <Value>({ code, value }: { code: string | null; value: Value }) => {
      if (code !== null) codes.add(code);
      return value;
    };
    const visitor = async (person: Signed, index: number) => {
      for (let round = 0; round < 3; round += 1) {
        const made = note(await face(index + round).subscribe(person, event.id));
        if (!made) continue;
        ids.push(made.id);
        if (index % 3 !== 0)
          note(await face(index).move(person, event.id, made.id, { status: 'cancelled', answers: null }));
      }
    };
    const mover = async (index: number) => {
      const statuses = ['accepted', 'pending', 'waitlisted', 'declined'];
      for (let round = 0; round < 25; round += 1) {
        while (ids.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
        const status = statuses[(round + index) % statuses.length] as string;
        if (round % 3 === 0) {
          const chosen = [...new Set([newest(), newest(), newest()])];
          const { errors } = note(await face(round).transition(manager(index), event.id, chosen, status));
          for (const { code } of errors) codes.add(code);
        } else note(await face(round + 1).move(manager(index), event.id, newest(), { status, notify: false }));
      }
    };
    const resizer = async () => {
      // 60 people come for 15 places: somebody is turned away before there are more
      while (!codes.has('EVENT_FULL')) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const capacity of [18, 10, 30, null, 20, 12, 25, 16, 40, 14, null, 22]) {
        note(await face(0).updateEvent(manager(0), event.id, { capacity }));
      }
    };
    const importer = async () => {
      for (let round = 0; round < 6; round += 1) {
        const users = await pair.people(3);
        const subscriptions = users.map(({ userId }, index) => ({
          id: userId,
          event_id: event.id,
          user_id: userId,
          status: ['waitlisted', 'pending', 'cancelled'][index],
        }));
        await importInto(pair.databaseUrl, { subscriptions });
      }
    };
    const { faults } = await watchPlaces(pair.orm, event.id, () =>
      Promise.all([...people.map(visitor), mover(0), mover(1), mover(2), resizer(), importer()]),
    );
    expect(faults).toEqual([]);
    const expected = ['ALREADY_SUBSCRIBED', 'CONFLICT', 'EVENT_FULL', 'INVALID_TRANSITION', 'SUBSCRIPTION_DECLINED'];
    expect([...codes].filter((code) => !expected.includes(code))).toEqual([]);
    expect(codes).toContain('EVENT_FULL');
  });

  it('are checked in once by 20 at once, on both faces', async () => {
    const [person] = (await pair.people(1)) as [Signed];
    const event = await create();
    const { value } = await face(0).subscribe(person, event.id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => face(index).checkIn(manager(index), event.id, value.id)),
    );
    expect(answers.map(({ code }) => code).sort()).toEqual([...Array(19).fill('ALREADY_CHECKED_IN'), null]);
  });
});

describe('two writers with one version', { timeout: 60_000 }, () => {
  it('one succeeds and the others get an error, in every round', async () => {
    const event = await create();
    for (let version = 1; version <= 10; version += 1) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          face(index).updateEvent(manager(index), event.id, { name: `By ${version} ${index}` }, { version }),
        ),
      );
      const won = answers.filter(({ code }) => code === null);
      expect(won.map(({ value }) => value.version)).toEqual([version + 1]);
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, 'PRECONDITION_FAILED']));
    }
  });

  it('are one who deletes', async () => {
    const event = await create({ status: 0 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? face(index).deleteEvent(manager(index), event.id, { version: 1 })
          : face(index).updateEvent(manager(index), event.id, { name: 'Kept' }, { version: 1 }),
      ),
    );
    expect(answers.filter(({ code }) => code === null)).toHaveLength(1);
    for (const { code } of answers) expect([null, 'PRECONDITION_FAILED', 'NOT_FOUND']).toContain(code);
  });
});

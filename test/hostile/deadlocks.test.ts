import { describe, expect, it } from 'vitest';
import { withClient } from '../../src/db/client.ts';
import { importInto } from '../support/import.ts';
import { type Signed, startPair } from '../support/pair.ts';
import { graphql, send } from '../support/send.ts';
import { isoInDays } from '../support/subscribing.ts';

// The order of locks (note 0035): PostgreSQL counts the deadlocks that it had to resolve.

const pair = await startPair();
const managers = await pair.people(4, 'owner');
const { face } = pair;

const dates = { date_start: isoInDays(10), date_end: isoInDays(11) };
const manager = (index: number) => managers[index % managers.length] as Signed;
const any = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item;

/** A connection may keep what it counted to itself for ten seconds, unless it ends. */
async function deadlocks(): Promise<number> {
  return await withClient(pair.databaseUrl, async (client) => {
    const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    await expect.poll(async () => (await client.query(`select pg_terminate_backend(pid) ${others}`)).rowCount).toBe(0);
    const { rows } = await client.query<{ count: number }>(
      'select deadlocks::int as count from pg_stat_database where datname = current_database()',
    );
    return rows[0]?.count ?? -1;
  });
}

async function createEvents(count: number): Promise<string[]> {
  const made = Array.from({ length: count }, (_, index) =>
    face(index).createEvent(manager(index), { name: `Event ${index}`, status: 1, capacity: 3, ...dates }),
  );
  return (await Promise.all(made)).map(({ value }) => value.id);
}

const importRows = (document: object) => importInto(pair.databaseUrl, document);

describe('writes at once', { timeout: 120_000 }, () => {
  it('never deadlock, whatever they are, beside imports and members who leave', async () => {
    const events = await createEvents(4);
    const people = await pair.people(16);
    const subscriptions: [string, string][] = [];
    for (const [index, person] of people.entries()) {
      for (const event of [events[index % 4], events[(index + 1) % 4]] as [string, string]) {
        subscriptions.push([event, (await face(index).subscribe(person, event)).value.id]);
      }
    }
    const rounds = (count: number, work: (round: number) => Promise<unknown>) => async () => {
      for (let round = 0; round < count; round += 1) await work(round);
    };
    const across = () => subscriptions.map(([, id]) => id).sort(() => Math.random() - 0.5);
    const slug = () => `slug-${Math.floor(Math.random() * 6)}`;
    const { organizationId } = pair;
    const work = [
      rounds(15, (round) => face(round).updateEvent(manager(0), any(events), { slug: slug() })),
      rounds(15, (round) => face(round).duplicateEvent(manager(1), any(events), { name: 'Copy' })),
      rounds(15, (round) => face(round).createEvent(manager(2), { name: 'New', slug: slug(), ...dates })),
      rounds(15, (round) => face(round).updateEvent(manager(3), any(events), { capacity: 1 + (round % 30) })),
      ...[0, 1].map((at) =>
        rounds(12, () =>
          // GraphQL moves subscriptions of several events in one transaction
          face(1 + 2 * at).transition(manager(at), '', across(), any(['accepted', 'waitlisted', 'pending'])),
        ),
      ),
      rounds(20, (round) => {
        const [event, id] = any(subscriptions);
        return face(round).move(manager(round), event, id, { status: any(['accepted', 'declined', 'pending']) });
      }),
      rounds(8, async (round) => {
        const person = people[round] as Signed;
        const { body } = await send<{ items: { id: string }[] }>({ url: pair.url(round) }, person, 'GET /members');
        const answer = await send({ url: pair.url(round) }, person, `DELETE /members/${body.items[0]?.id}`);
        expect([200, 429, 503]).toContain(answer.status);
      }),
      rounds(6, async (round) => {
        const organization = { id: organizationId, name: `Name ${round}`, slug: `organization-${round}` };
        const users = await pair.people(2);
        await importRows({
          organizations: [organization],
          memberships: users.map(({ userId }) => ({
            organization_id: organizationId,
            user_id: userId,
            role: 'manager',
          })),
          events: [...events].reverse().map((id, index) => ({
            id,
            organization_id: organizationId,
            name: 'Imported',
            slug: `imported-${round}-${index}`,
            ...dates,
          })),
          subscriptions: subscriptions.slice(2 * round, 2 * round + 10).map(([event, id], index) => ({
            id,
            event_id: event,
            user_id: people[round + Math.floor(index / 2)]?.userId,
            status: 'waitlisted',
          })),
        });
      }),
    ];
    const before = await deadlocks();
    await Promise.all(work.map((each) => each()));
    expect(await deadlocks()).toBe(before);
  });

  it('of one key take their locks in the client’s order, and run again if that deadlocks', async () => {
    const [first, second] = (await createEvents(2)) as [string, string];
    const before = await deadlocks();
    let rounds = 0;
    // it is for chance to say which round deadlocks
    for (; rounds < 6 || (await deadlocks()) === before; rounds += 1) {
      const answers = await Promise.all(
        [0, 1].map(async (index) => {
          const [one, two] = index === 0 ? [first, second] : [second, first];
          const document = `mutation {
            one: updateEvent(input: {id: "${one}", location: "${rounds} ${index}"}) { event { version } }
            two: updateEvent(input: {id: "${two}", location: "${rounds} ${index}"}) { event { version } }
          }`;
          const key = { 'idempotency-key': `order-${rounds}-${index}` };
          return await graphql({ url: pair.url(index) }, manager(index), document, undefined, key);
        }),
      );
      for (const { errors, text } of answers) expect(errors, text).toBeUndefined();
    }
    const version = 1 + 2 * rounds;
    const versions = await pair.execute('select version from event where id in (?, ?)', [first, second]);
    expect(versions).toEqual([{ version }, { version }]);
  });
});

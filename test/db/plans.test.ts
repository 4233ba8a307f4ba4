import { describe, expect, it } from 'vitest';
import { connectTo, createLargeDatabase } from '../support/database.ts';
import { type Asker, graphql, restCount, restGet, type Where } from '../support/faces.ts';
import { insertUser } from '../support/fixtures.ts';
import { allOf, explain, type Plan, plansFor, rowsOf } from '../support/plans.ts';
import type { Page } from '../support/send.ts';
import { serve, signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { recordReads } from '../support/statements.ts';

const database = await shared(createLargeDatabase());
const client = await shared(connectTo(database.url));
// the service is to have nothing to do of itself
await database.execute(
  `update event set reminded_start = date_start where date_start between now() and now() + interval '2 days'`,
);
const server = await serve({ databaseUrl: database.url, env: { READ_TIMEOUT_SECONDS: '60' } });
const find = async (statement: string) => ((await database.execute(statement)) as { id: string }[])[0]?.id as string;
const organizationId = await find('select organization_id as id from event group by 1 order by count(*) desc limit 1');
const slug = await find(`select slug as id from organization where id = '${organizationId}'`);
const eventId = await find('select event_id as id from subscription group by 1 order by count(*) desc limit 1');

/** Somebody with a place at that event. */
async function enter(role: 'owner' | 'member', offset: number): Promise<Asker> {
  const id = await find(
    `select user_id as id from subscription where event_id = '${eventId}' offset ${offset} limit 1`,
  );
  const known = await insertUser(database.orm);
  await database.execute(
    `update "user" set verified_at = now(), password_hash = (select password_hash from "user" where id = '${known.id}') where id = '${id}'`,
  );
  await database.execute(
    `insert into membership (id, organization_id, user_id, role) values (gen_random_uuid(), ?, ?, ?)
      on conflict (organization_id, user_id) do update set role = excluded.role`,
    [organizationId, id, role],
  );
  const email = await find(`select email as id from "user" where id = '${id}'`);
  return { url: server.url, accessToken: (await signIn(server.url, email)).accessToken, organizationId };
}
const askers = { owner: await enter('owner', 0), member: await enter('member', 1) };

const plansOf = <Result>(ask: () => Promise<Result>, analyze = false) => plansFor(server, client, ask, analyze);

/** The relations that plans read from end to end. */
const sequentialReads = (plans: Plan[]) =>
  plans.flatMap(allOf).flatMap((each) => (each['Node Type'] === 'Seq Scan' ? [each['Relation Name']] : []));

/** How many rows the scans of plans looked at. */
const rowsRead = (plans: Plan[], table: string) =>
  rowsOf(plans.flatMap(allOf).filter((each) => each['Relation Name'] === table));

const filters: Where[] = [
  {},
  { id: '0199b5a0-7c3a-7000-8000-0123456789ab' },
  { slug: 'no-such-slug' },
  { status: 1 },
  { status: { $in: [2, 3] } },
  { status: { $ne: 1 } },
  { visibility: 'public' },
  { registration: 'closed' },
  { capacity: null },
  { capacity: { $gt: 100 } },
  { capacity: { $gte: 20, $lt: 30 } },
  { date_start: { $gte: '2026-01-01T00:00:00Z' } },
  { date_end: { $lt: '2026-01-01T00:00:00Z' } },
  { created_at: { $gt: '2026-01-01T00:00:00Z' } },
  { updated_at: { $lte: '2026-01-01T00:00:00Z' } },
  { status: 1, date_start: { $lte: '2026-06-01T00:00:00Z' }, date_end: { $gte: '2026-06-01T00:00:00Z' } },
  { $or: [{ status: 2 }, { visibility: 'public', capacity: null }] },
  { $not: { status: 1, visibility: 'public' } },
  { name: 'workshop' },
  { name: 'zzzzzz' },
  { name: 'ja' },
  { viewer_subscription: 'accepted' },
  { viewer_subscription: { $ne: null } },
  { viewer_subscription: null },
  { $not: { viewer_subscription: { $in: ['accepted', 'pending'] } } },
];

const matchingMany = [0, 3, 5, 6, 9, 12, 16].map((index) => filters[index] as Where);

const subscriptionFilters: Where[] = [
  {},
  { status: 'declined' },
  { status: { $ne: 'accepted' } },
  { checked_in_at: null },
  { attendee_name: 'zzzzzz' },
  { attendee_name: 'ja' },
  { user_id: '0199b5a0-7c3a-7000-8000-0123456789ab' },
  { updated_at: { $gt: '2026-01-01T00:00:00Z' } },
];
const filtersOfAll = [...subscriptionFilters, { event_id: '0199b5a0-7c3a-7000-8000-0123456789ab' }];
const subscriptions = `/events/${eventId}/subscriptions`;

describe.each(['owner', 'member'] as const)('for a %s in an organization of 100,000 events', (role) => {
  const asker = askers[role];

  it.each(filters)('no list or count reads the table from end to end: %j', async (where) => {
    let expected = 6;
    const { plans } = await plansOf(async () => {
      for (const sort of [1, -1]) {
        const { next: token } = (await restGet<Page>(asker, '/events', { where, sort })).body;
        if (token === null) continue;
        await restGet(asker, '/events', { where, sort, token });
        expected += 1;
      }
      const byCreation = { createdAt: { gte: '2020-01-01T00:00:00Z' } };
      const document =
        'query ($where: EventWhere) { events(where: $where, orderBy: { field: CREATED_AT }) { nodes { id } } }';
      await graphql(asker, document, { where: byCreation });
      for (const max of [undefined, 100, 1_000_000]) await restGet(asker, '/events/count', { where, max });
    });
    expect(plans).toHaveLength(expected);
    expect(sequentialReads(plans)).toEqual([]);
  });

  it.each(matchingMany)('a capped count stops reading at its cap, where an exact one reads on: %j', async (where) => {
    const capped = await plansOf(() => restCount(asker, '/events/count', { where, max: 100 }), true);
    expect(capped.result).toEqual({ value: 100, exact: false });
    expect(rowsRead(capped.plans, 'event')).toBeGreaterThan(100);
    expect(rowsRead(capped.plans, 'event')).toBeLessThan(1_000);
    const exact = await plansOf(() => restGet<number>(asker, '/events/count', { where }), true);
    expect(exact.result.body).toBeGreaterThan(10_000);
    expect(rowsRead(exact.plans, 'event')).toBeGreaterThanOrEqual(exact.result.body);
  });

  it('a page in the middle and one near the end start at their cursors', async () => {
    const { data } = await graphql(asker, '{ events(last: 50) { pageInfo { startCursor } } }');
    const { startCursor: token } = (data as unknown as { events: { pageInfo: { startCursor: string } } }).events
      .pageInfo;
    const { result, plans } = await plansOf(() => restGet<Page>(asker, '/events', { token }));
    expect(result.body.items).toHaveLength(49);
    expect(JSON.stringify(plans)).toContain('ROW(date_start, id) > ROW(');
    expect(JSON.stringify(plans)).toContain('ROW(date_start, id) <= ROW(');
    expect(plans[0]).toMatchObject({ 'Node Type': 'Sort', 'Plan Rows': expect.any(Number) });
    expect(plans[0]?.['Plan Rows']).toBeLessThanOrEqual(51);
    expect(sequentialReads(plans)).toEqual([]);
  });

  it.each(subscriptionFilters)('no list or count of subscriptions does: %j', async (where) => {
    const { plans } = await plansOf(async () => {
      await restGet(asker, subscriptions, { where, sort: -1, include: 'user' });
      for (const max of [undefined, 10]) await restGet(asker, `${subscriptions}/count`, { where, max });
    });
    expect(plans).toHaveLength(3);
    expect(sequentialReads(plans)).toEqual([]);
  });

  it.each(filtersOfAll)('all subscriptions are read by an index: %j', async (where) => {
    const { plans } = await plansOf(async () => {
      for (const sort of [1, -1]) await restGet(asker, '/subscriptions', { where, sort, include: 'user' });
      for (const max of [undefined, 100]) await restGet(asker, '/subscriptions/count', { where, max });
    });
    expect(plans).toHaveLength(4);
    expect(sequentialReads(plans)).not.toContain('subscription');
  });

  it.each<Where>([{}, { status: 'accepted' }])('a page of all reads little more than itself: %j', async (where) => {
    for (const from of [undefined, '2023-06-01T00:00:00.000Z']) {
      const { plans } = await plansOf(() => restGet(asker, '/subscriptions', { where, from }), true);
      expect(rowsRead(plans, 'subscription')).toBeLessThan(150);
    }
  });
});

const { owner } = askers;

it.each<[string, string, Record<string, unknown>]>([
  ['public events', '/public/events', {}],
  ['the count of public events', '/public/events/count', {}],
  ['coming public events', `/o/${slug}`, {}],
  ['a public event by its slug', '/public/events/no-such-slug', {}],
  ['the public calendar', `/o/${slug}/events.ics`, {}],
  ['events from a time', '/events', { from: '2026-01-01T00:00:00.000Z', fields: 'availability' }],
  ['members by name', '/members', { where: { name: 'jaz' } }],
  ['members by email', '/members', { where: { email: 'user-7@seed-7.example' } }],
])('no read of a large table from end to end: %s', async (_, path, asked) => {
  const { plans } = await plansOf(() => restGet(owner, path, asked));
  expect(plans.length).toBeGreaterThan(0);
  for (const table of ['event', 'subscription', 'membership', 'user'])
    expect(sequentialReads(plans)).not.toContain(table);
});

it('the counts of subscriptions by status read an index', async () => {
  const { plans } = await plansOf(() =>
    graphql(owner, `{ event(id: "${eventId}") { subscriptionCounts { accepted } } }`),
  );
  expect(sequentialReads(plans)).toEqual([]);
  expect(JSON.stringify(plans)).toContain('Index Only Scan');
});

it('a filter by the own subscription reads those, not the events of the organization', async () => {
  const where = { viewer_subscription: 'accepted' };
  const { plans } = await plansOf(() => restGet(askers.member, '/events/count', { where }), true);
  expect(rowsRead(plans, 'event')).toBeLessThan(200);
  expect(rowsRead(plans, 'subscription')).toBeLessThan(200);
});

it('a capped count of subscriptions stops reading at its cap for each event', async () => {
  const capped = await plansOf(() => restCount(owner, `${subscriptions}/count`, { where: {}, max: 10 }), true);
  expect(capped.result).toEqual({ value: 10, exact: false });
  expect(rowsRead(capped.plans, 'subscription')).toBe(11);
  const exact = await plansOf(() => restGet<number>(owner, `${subscriptions}/count`), true);
  expect(exact.result.body).toBe(rowsRead(exact.plans, 'subscription'));
});

const short = ['q', 'zq', 'É'].map((name) => [name, 'event_name_gram_index']);
const parts = [['zzzzzz', 'event_name_trigram_index'], ...short];
it.each(parts)('the substring %j of a name is found through %s', async (name, index) => {
  const { plans } = await plansOf(() => restGet(owner, '/events/count', { where: { name } }));
  expect(JSON.stringify(plans)).toContain(index);
});

it('a table without its index would be noticed', async () => {
  const { sent } = await recordReads(server.orm, () => restGet(owner, '/events/count', { where: { status: 1 } }));
  await client.query('begin');
  await client.query('alter table event drop constraint event_organization_id_slug_unique');
  const names = `select indexname as name from pg_indexes where tablename = 'event' and indexname like '%index'`;
  for (const { name } of (await client.query<{ name: string }>(names)).rows) await client.query(`drop index ${name}`);
  expect(sequentialReads(await explain(client, sent))).toEqual(['event']);
  await client.query('rollback');
});

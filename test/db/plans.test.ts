import { describe, expect, it } from 'vitest';
import { calendarDay, readPublicCalendar } from '../../src/domain/calendar/public-calendar.ts';
import { eventColumns, eventResource } from '../../src/domain/event/event.resource.ts';
import { countEvents, listEvents } from '../../src/domain/event/event.ts';
import { subscriptionCountsLoader } from '../../src/domain/event/subscription-counts.ts';
import { membershipResource } from '../../src/domain/organization/membership.resource.ts';
import { members } from '../../src/domain/organization/membership.ts';
import { publicEventResource } from '../../src/domain/public/public-event.resource.ts';
import {
  countPublicEvents,
  findPublicEvent,
  listPublicEvents,
  listUpcomingEvents,
} from '../../src/domain/public/public-events.ts';
import type { Services } from '../../src/domain/services.ts';
import {
  countOrganizationSubscriptions,
  listOrganizationSubscriptions,
} from '../../src/domain/subscription/organization-subscriptions.ts';
import { subscriptionColumns, subscriptionResource } from '../../src/domain/subscription/subscription.resource.ts';
import { eventSubscriptions, listSubscriptions } from '../../src/domain/subscription/subscription.ts';
import { Loaders, type MemberContext } from '../../src/engine/context.ts';
import { CursorCodec } from '../../src/engine/cursor.ts';
import { everything } from '../../src/engine/list/condition.ts';
import { itemCursor } from '../../src/engine/list/page.ts';
import { parseWhere } from '../../src/engine/list/where.ts';
import { restDialect } from '../../src/rest/server/list-query.ts';
import { createLargeDatabase } from '../support/database.ts';
import type { Where } from '../support/faces.ts';
import { holding } from '../support/locks.ts';
import { allOf, explainingDatabase, type Plan, rowsOf } from '../support/plans.ts';
import { shared } from '../support/shared.ts';

const analyze = 'explain (analyze, format json)';
const plans: Plan[] = [];
const cursors = new CursorCodec(['only for the cursors of these plans']);

const database = await shared(createLargeDatabase({ statementTimeout: 0 }));
const find = async (statement: string) => ((await database.execute(statement)) as { id: string }[])[0]?.id as string;
const organizationId = await find('select organization_id as id from event group by 1 order by count(*) desc limit 1');
const eventId = await find('select event_id as id from subscription group by 1 order by count(*) desc limit 1');
const userId = await find(`select user_id as id from subscription where event_id = '${eventId}' limit 1`);

/** A context whose every statement is explained, with the values that it is run with, before it is run. */
function explaining(role: 'owner' | 'member', explain = 'explain (format json)', em = database.orm.em.fork()) {
  plans.length = 0;
  const context = {
    db: explainingDatabase(em, plans, explain),
    services: { cursors } as unknown as Services,
    viewer: { userId, sessionId: '' },
    membership: { organizationId, role },
    client: { ip: null, userAgent: null, requestId: '' },
    now: new Date(),
    log: console,
  };
  return Object.assign(context, { loaders: new Loaders() }) as unknown as MemberContext;
}

/** The relations that the explained plans read from end to end. */
const sequentialReads = () =>
  plans.flatMap(allOf).flatMap((each) => (each['Node Type'] === 'Seq Scan' ? [each['Relation Name']] : []));

/** How many rows the scans of the explained plans looked at. */
const rowsRead = (table: string) => rowsOf(plans.flatMap(allOf).filter((each) => each['Relation Name'] === table));

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

const first = { by: 'token', token: null, sort: 1, size: 50 } as const;
const eventsBy = (where: Where) => parseWhere(eventResource, where, restDialect);
const subscriptionsBy = (where: Where) => parseWhere(subscriptionResource, where, restDialect);
const membersBy = (ctx: MemberContext, where: Where) =>
  members.list(ctx, { where: parseWhere(membershipResource, where, restDialect), columns: ['id'], paging: first });
const from = { ...first, time: '2026-01-01T00:00:00.000Z' };

describe.each(['owner', 'member'] as const)('for a %s in an organization of 100,000 events', (role) => {
  it.each(filters)('no list or count reads the table from end to end: %j', async (filter) => {
    const where = eventsBy(filter);
    const ctx = explaining(role);
    let expected = 6;
    for (const sort of [1, -1] as const) {
      const paging = { ...first, sort };
      const page = await listEvents(ctx, { where, columns: eventColumns, paging });
      const last = page.items.at(-1);
      if (!last) continue;
      const token = itemCursor(page, last);
      await listEvents(ctx, { where, columns: eventColumns, paging: { ...paging, token } });
      expected += 1;
    }
    await listEvents(ctx, { where, columns: ['id'], order: 'created_at', paging: first });
    for (const max of [undefined, 100, 1_000_000]) await countEvents(ctx, where, max);
    expect(plans).toHaveLength(expected);
    expect(sequentialReads()).toEqual([]);
  });

  // those that match many of the events
  it.each([0, 3, 5, 6, 9, 12, 16].map((index) => filters[index] as Where))(
    'a capped count stops reading at its cap, where an exact one reads on: %j',
    async (filter) => {
      const where = eventsBy(filter);
      expect(await countEvents(explaining(role, analyze), where, 100)).toEqual({ value: 100, exact: false });
      const capped = rowsRead('event');
      expect(capped).toBeGreaterThan(100);
      expect(capped).toBeLessThan(1_000);
      const { value } = await countEvents(explaining(role, analyze), where);
      expect(value).toBeGreaterThan(10_000);
      expect(rowsRead('event')).toBeGreaterThanOrEqual(value);
    },
  );

  it('a page in the middle and one near the end start at their cursors', async () => {
    const window = { by: 'bounds' as const, direction: 1 as const, size: 50, after: null, before: null };
    const ctx = explaining(role);
    const end = await listEvents(ctx, { where: everything, columns: ['id'], paging: { ...window, anchor: 'end' } });
    const token = itemCursor(end, end.items[0] as never);
    plans.length = 0;
    const page = await listEvents(ctx, { where: everything, columns: eventColumns, paging: { ...first, token } });
    expect(page.items).toHaveLength(49);
    expect(JSON.stringify(plans)).toContain('ROW(date_start, id) > ROW(');
    expect(JSON.stringify(plans)).toContain('ROW(date_start, id) <= ROW(');
    expect(plans[0]).toMatchObject({ 'Node Type': 'Sort', 'Plan Rows': expect.any(Number) });
    expect(plans[0]?.['Plan Rows']).toBeLessThanOrEqual(51);
    expect(sequentialReads()).toEqual([]);
  });

  it.each(subscriptionFilters)('no list or count of subscriptions does: %j', async (filter) => {
    const ctx = explaining(role);
    const where = subscriptionsBy(filter);
    const shown = { columns: subscriptionColumns, userColumns: ['id', 'name'] as const };
    await listSubscriptions(ctx, [eventId], { where, ...shown, paging: { ...first, sort: -1 } });
    for (const max of [undefined, 10]) await eventSubscriptions.count(ctx, [eventId], where, max);
    expect(plans).toHaveLength(3);
    expect(sequentialReads()).toEqual([]);
  });
});

describe.each(['owner', 'member'] as const)('the subscriptions of a large organization, for a %s,', (role) => {
  const ofEvent = { event_id: '0199b5a0-7c3a-7000-8000-0123456789ab' };
  it.each([...subscriptionFilters, ofEvent])('are read by an index: %j', async (filter) => {
    const ctx = explaining(role);
    const where = subscriptionsBy(filter);
    const shown = { where, columns: subscriptionColumns, userColumns: ['name'] as const };
    for (const sort of [1, -1] as const)
      await listOrganizationSubscriptions(ctx, { ...shown, paging: { ...first, sort } });
    for (const max of [undefined, 100]) await countOrganizationSubscriptions(ctx, where, max);
    expect(plans).toHaveLength(4);
    expect(sequentialReads()).not.toContain('subscription');
  });

  it.each<Where>([{}, { status: 'accepted' }])('a page reads little more than itself: %j', async (filter) => {
    const ctx = explaining(role, analyze);
    const where = subscriptionsBy(filter);
    for (const time of [undefined, '2023-06-01T00:00:00.000Z']) {
      plans.length = 0;
      const paging = { ...first, time };
      await listOrganizationSubscriptions(ctx, { where, columns: subscriptionColumns, paging });
      expect(rowsRead('subscription')).toBeLessThan(150);
    }
  });
});

const shown = { where: everything, columns: Object.keys(publicEventResource.fields), paging: first };
/** Reads other than the lists of events and subscriptions that members have. */
const others: [string, (ctx: MemberContext) => Promise<unknown>][] = [
  ['public events', (ctx) => listPublicEvents(ctx, shown)],
  ['the count of public events', (ctx) => countPublicEvents(ctx, everything)],
  ['coming public events', (ctx) => listUpcomingEvents(ctx, shown)],
  ['a public event by its slug', (ctx) => findPublicEvent(ctx, { slug: 'no-such-slug' }, shown.columns)],
  ['the public calendar', (ctx) => readPublicCalendar(ctx, calendarDay(ctx.now))],
  ['events from a time', (ctx) => listEvents(ctx, { where: everything, columns: ['availability'], paging: from })],
  ['members by name', (ctx) => membersBy(ctx, { name: 'jaz' })],
  ['members by email', (ctx) => membersBy(ctx, { email: 'user-7@seed-7.example' })],
];
it.each(others)('no read of a large table from end to end: %s', async (_, read) => {
  await read(explaining('owner'));
  expect(plans.length).toBeGreaterThan(0);
  for (const table of ['event', 'subscription', 'membership', 'user']) expect(sequentialReads()).not.toContain(table);
});

it('the counts of subscriptions by status read an index', async () => {
  await subscriptionCountsLoader(explaining('owner')).loadMany([eventId]);
  expect(sequentialReads()).toEqual([]);
  expect(JSON.stringify(plans)).toContain('Index Only Scan');
});

it('a filter by the own subscription reads those, not the events of the organization', async () => {
  await countEvents(explaining('member', analyze), eventsBy({ viewer_subscription: 'accepted' }));
  expect(rowsRead('event')).toBeLessThan(200);
  expect(rowsRead('subscription')).toBeLessThan(200);
});

it('a capped count of subscriptions stops reading at its cap for each event', async () => {
  const count = async (max?: number) =>
    (await eventSubscriptions.count(explaining('owner', analyze), [eventId], everything, max)).get(eventId);
  expect(await count(10)).toEqual({ value: 10, exact: false });
  expect(rowsRead('subscription')).toBe(11);
  const exact = await count();
  expect(exact).toEqual({ value: rowsRead('subscription'), exact: true });
});

it.each([['zzzzzz', 'event_name_trigram_index'], ...['q', 'zq', 'É'].map((name) => [name, 'event_name_gram_index'])])(
  'the substring %j of a name is found through %s',
  async (name, index) => {
    await countEvents(explaining('owner'), eventsBy({ name }));
    expect(JSON.stringify(plans)).toContain(index);
  },
);

it('a table without its index would be noticed', async () => {
  const em = await holding(database, 'alter table event drop constraint event_organization_id_slug_unique');
  const names = `select indexname as name from pg_indexes where tablename = 'event' and indexname like '%index'`;
  for (const { name } of await em.execute<{ name: string }[]>(names)) await em.execute(`drop index ${name}`);
  await countEvents(explaining('owner', 'explain (format json)', em), eventsBy({ status: 1 }));
  expect(sequentialReads()).toEqual(['event']);
});

import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calendarDay, readPublicCalendar } from '../../src/domain/calendar/public-calendar.ts';
import { eventResource } from '../../src/domain/event/event.resource.ts';
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
import {
  countOrganizationSubscriptions,
  listOrganizationSubscriptions,
} from '../../src/domain/subscription/organization-subscriptions.ts';
import { subscriptionResource } from '../../src/domain/subscription/subscription.resource.ts';
import { eventSubscriptions, listSubscriptions } from '../../src/domain/subscription/subscription.ts';
import type { MemberContext } from '../../src/engine/context.ts';
import { everything } from '../../src/engine/list/condition.ts';
import type { Paging } from '../../src/engine/list/list.ts';
import { parseWhere } from '../../src/engine/list/where.ts';
import { restDialect } from '../../src/rest/server/list-query.ts';
import { createLargeDatabase, type TestDatabase } from '../support/database.ts';
import type { Where } from '../support/faces.ts';
import { recordingContext } from '../support/recorded-sql.ts';

// The shapes of the plans stand in list-plans.txt, for a review to show which ones a change changes; what every plan
// must fulfil is asserted in plans.test.ts. A difference fails; one that is meant is written by:
// npx vitest run test/db/list-plans.test.ts -u

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Scan Direction'?: string;
  Plans?: Plan[];
}

let database: TestDatabase;
let client: PoolClient;
let eventId: string;
let cursor: string;
const ids = { viewer: '', session: '0199b5a0-7c3a-7000-8000-000000000001', organization: '' };
const entries: string[] = [];

beforeAll(async () => {
  database = await createLargeDatabase({ statementTimeout: 0 });
  const pool: Pool = await database.orm.driver.getConnection().getNativeClient();
  client = await pool.connect();
  // samples of every row: with those of the usual size plans of about equal cost take turns
  await client.query('set default_statistics_target = 1000');
  await client.query('analyze');
  const find = async (text: string) => (await client.query<{ id: string; time: string }>(text)).rows[0];
  const most = (column: string, table: string) =>
    find(`select ${column} as id from ${table} group by 1 order by count(*) desc, 1 limit 1`);
  ids.organization = (await most('organization_id', 'event'))?.id as string;
  eventId = (await most('event_id', 'subscription'))?.id as string;
  ids.viewer =
    (await find(`select min(user_id::text) as id from subscription where event_id = '${eventId}'`))?.id ?? '';
  const middle = await find(
    `select id, date_start as time from event where organization_id = '${ids.organization}' order by 2, 1 offset 50000 limit 1`,
  );
  cursor = JSON.stringify({ id: middle?.id, time: Date.parse(middle?.time as string) });
}, 180_000);
afterAll(async () => {
  client.release();
  await database.drop();
});

/** Adds the plans of a use case for an owner and for a member: one entry where they are the same. */
async function record(title: string, run: (ctx: MemberContext) => Promise<unknown>): Promise<void> {
  const byPlan = new Map<string, string[]>();
  for (const role of ['owner', 'member'] as const) {
    const { ctx, recorded } = recordingContext(role, ids);
    await run(ctx);
    for (const { text, values } of recorded) {
      const { rows } = await client.query(`explain (format json) ${text}`, values);
      const entry = shape(rows[0]['QUERY PLAN'][0].Plan, 1);
      byPlan.set(entry, [...(byPlan.get(entry) ?? []), role]);
    }
  }
  expect(byPlan.size, title).toBeGreaterThan(0);
  for (const [entry, roles] of byPlan) entries.push(`${title}: ${roles.join(', ')}\n${entry}`);
}

function shape(plan: Plan, depth: number): string {
  const backward = plan['Scan Direction'] === 'Backward' ? ' Backward' : '';
  const on = plan['Index Name'] ?? plan['Relation Name'];
  const below = (plan.Plans ?? []).map((each) => shape(each, depth + 1)).join('');
  return `${'  '.repeat(depth)}${plan['Node Type']}${backward}${on ? ` ${on}` : ''}\n${below}`;
}

const firstPage = { by: 'token', token: null, sort: 1, size: 50 } satisfies Paging;
const filters: Where[] = [
  {},
  { slug: 'no-such-slug' },
  { status: 1 },
  { status: { $ne: 1 } },
  { status: { $in: [2, 3] } },
  { visibility: 'public' },
  { registration: 'closed' },
  { capacity: null },
  { capacity: { $ne: 5 } },
  { capacity: { $gte: 20, $lt: 30 } },
  { date_start: { $gte: '2026-01-01T00:00:00Z' }, date_end: { $lt: '2026-06-01T00:00:00Z' } },
  { name: 'j' },
  { name: 'jaz' },
  { $not: { name: 'jaz' } },
  { $not: { status: 1, visibility: 'public' } },
  { $or: [{ status: 2 }, { visibility: 'public', capacity: null }] },
  { viewer_subscription: 'accepted' },
  { viewer_subscription: null },
];

it('the plans of events and subscriptions are those of list-plans.txt', async () => {
  for (const filter of filters) {
    const where = parseWhere(eventResource, filter, restDialect);
    const label = `events by ${JSON.stringify(filter)}`;
    const pages: [string, Paging][] = [
      ['first page', firstPage],
      ['first page, descending', { ...firstPage, sort: -1 }],
      ['page after a cursor', { ...firstPage, token: cursor }],
    ];
    for (const [title, paging] of pages) {
      await record(`${label}, ${title}`, (ctx) => listEvents(ctx, { where, columns: ['name'], paging }));
    }
    await record(`${label}, count`, (ctx) => countEvents(ctx, where));
    await record(`${label}, count up to 100`, (ctx) => countEvents(ctx, where, 100));
  }
  await record('events by created_at, first page', (ctx) =>
    listEvents(ctx, { where: everything, columns: ['name'], order: 'created_at', paging: firstPage }),
  );
  // without a role: nobody is signed in
  const columns = Object.keys(publicEventResource.fields);
  await record('public events, first page', (ctx) =>
    listPublicEvents(ctx, { where: everything, columns, paging: firstPage }),
  );
  await record('public events, count', (ctx) => countPublicEvents(ctx, everything));
  await record('coming public events, first page', (ctx) => listUpcomingEvents(ctx, { columns, paging: firstPage }));
  await record('a public event by its slug', (ctx) => findPublicEvent(ctx, { slug: 'no-such-slug' }, columns));
  await record('the public calendar', (ctx) => readPublicCalendar(ctx, calendarDay(ctx.now)));
  for (const filter of [{}, { status: 'accepted' }, { checked_in_at: null }]) {
    const where = parseWhere(subscriptionResource, filter, restDialect);
    const label = `subscriptions by ${JSON.stringify(filter)}`;
    const input = { where, columns: ['user_id'], userColumns: ['name'], paging: firstPage };
    await record(`${label}, first page with users`, (ctx) => listSubscriptions(ctx, [eventId], input));
    await record(`${label}, count`, (ctx) => eventSubscriptions.count(ctx, [eventId], where));
    await record(`${label}, count up to 100`, (ctx) => eventSubscriptions.count(ctx, [eventId], where, 100));
  }
  for (const filter of [
    {},
    { status: 'accepted' },
    { event_id: eventId },
    { user_id: ids.viewer },
    { checked_in_at: null },
  ]) {
    const where = parseWhere(subscriptionResource, filter, restDialect);
    const [[name, value]] = Object.entries({ ...filter, '': '' }) as [[string, unknown]];
    const label = `subscriptions of the organization by ${name || 'nothing'}${value === null ? ' null' : ''}`;
    const input = { where, columns: ['user_id'], userColumns: ['name'], paging: firstPage };
    await record(`${label}, first page with users`, (ctx) => listOrganizationSubscriptions(ctx, input));
    await record(`${label}, first page, descending`, (ctx) =>
      listOrganizationSubscriptions(ctx, { ...input, paging: { ...firstPage, sort: -1 } }),
    );
    await record(`${label}, count`, (ctx) => countOrganizationSubscriptions(ctx, where));
    await record(`${label}, count up to 100`, (ctx) => countOrganizationSubscriptions(ctx, where, 100));
  }
  await record('events with their availability, first page', (ctx) =>
    listEvents(ctx, { where: everything, columns: ['availability'], paging: firstPage }),
  );
  await record('the counts of subscriptions of an event', async (ctx) => {
    if (ctx.membership.role === 'owner') await subscriptionCountsLoader(ctx).load(eventId);
  });
  await record('events from a time, first page', (ctx) =>
    listEvents(ctx, { where: everything, columns: ['id'], paging: { ...firstPage, time: '2026-01-01T00:00:00.000Z' } }),
  );
  for (const filter of [{ name: 'jaz' }, { email: 'user-7@seed-7.example' }]) {
    const where = parseWhere(membershipResource, filter, restDialect);
    await record(`members by ${Object.keys(filter)}, first page`, async (ctx) => {
      if (ctx.membership.role === 'owner') await members.list(ctx, { where, columns: ['id'], paging: firstPage });
    });
  }
  await expect(entries.join('\n')).toMatchFileSnapshot('list-plans.txt');
});

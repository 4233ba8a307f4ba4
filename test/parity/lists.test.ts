import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import {
  type Asker,
  type FaceAnswer,
  type FacePage,
  graphqlPage,
  restCount,
  restGet,
  restPage,
  toGraphqlWhere,
  type Where,
} from '../support/faces.ts';
import { everyItem, expectBadFilter, expectItems, relayPage } from '../support/list-on-both.ts';
import { type List, listsOf } from '../support/lists.ts';
import { matches, type OracleRow, orderedIds } from '../support/oracle.ts';
import { conditionsOf, filtersOf } from '../support/random-where.ts';
import { serveParityData } from './data.ts';
import { fillLists } from './lists.ts';

// Every list by its filters, and some by several of them (reference/lists.md#operations).

const data = await serveParityData();
const { owner } = data.askers;
const lists = await fillLists(data);
const otherEvent = data.events.at(-1)?.id as string;

/** The rows of a table, with timestamps as text. */
async function read(table: string, column: string, value: string): Promise<OracleRow[]> {
  const rows = await data.server.execute<OracleRow>(`select * from ${table} where ${column} = ?`, [value]);
  return rows.map((row) => ({ ...row, created_at: new Date(String(row.created_at)).toISOString() }));
}
// so are the cancelled ones
await data.server.execute(`update event set visibility = 'public' where status = 1`);
for (const row of data.events) if (row.status === 1) row.visibility = 'public';
const rows = {
  sessions: await read('session', 'user_id', data.askers.owner.userId),
  members: await read('membership', 'organization_id', owner.organizationId),
  'audit trail': await read('audit_entry', 'organization_id', owner.organizationId),
  'public events': data.events.filter(({ status }) => status === 1 || status === 2),
};

const [one, two] = rows.members.filter(({ created_at: at }) => String(at) < '2026-01-01T00:00:10');
const sooner = { created_at: { $lt: '2026-01-01T00:00:03.000Z' } };
const filters: [keyof typeof rows, Where][] = [
  ['sessions', {}],
  ['sessions', { created_at: { $gte: '2026-01-01T00:00:05.000Z', $lt: '2026-01-01T00:00:19.000Z' } }],
  ['members', {}],
  [
    'members',
    { id: { $ne: one?.id }, user_id: { $ne: two?.user_id }, created_at: { $lt: '2026-01-01T00:00:15.000Z' } },
  ],
  ['members', { $not: { role: { $in: ['manager', 'owner'] } } }],
  ['audit trail', {}],
  ['public events', {}],
  ['public events', { name: 'JAZZ' }],
  ['public events', { slug: { $in: data.events.slice(0, 50).map(({ slug }) => slug) } }],
  ['public events', { status: { $ne: 2 }, date_start: { $gt: '2026-06-01T15:00:00.000Z' } }],
  ['public events', { $not: { date_end: { $lt: '2026-06-02T00:00:00.000Z' } } }],
  ['public events', { updated_at: { $gt: '2026-02-01T00:00:00.030Z' }, id: { $ne: data.eventId } }],
  ['audit trail', { $or: [{ actor_id: { $ne: null }, action: { $ne: 'session.started' } }, sooner] }],
];

it.each(filters)('%s by %j are the same on both faces', async (name, where) => {
  const expected = orderedIds(rows[name], where, lists[name].resource.order, 1);
  expect(expected.length).toBeGreaterThan(9);
  await expectItems(owner, lists[name], where, expected);
});

describe.each(Object.entries(lists))('%s', (_, list) => {
  const fields = Object.entries(list.resource.fields);
  it.each(fields)('by %s are those that show the value, on both faces, if they can be', async (name, field) => {
    const { operators, contains } = field;
    if (!operators && !contains) return expectBadFilter(owner, list.path, { [name]: null }, `/where/${name}`);
    const items = await everyItem(owner, list);
    const [first] = items as [OracleRow];
    const where = { [name]: contains ? String(first[name]).toUpperCase() : first[name] };
    expect(matches(first, where)).toBe(true);
    for (const each of [where, { $not: where }]) {
      const expected = items.filter((item) => matches(item, each)).map(({ id }) => id);
      await expectItems(owner, list, each, expected, 50);
    }
  });

  it('refuse the cursors of every other list, filter, parent and organization, on both faces', async () => {
    const others = [...Object.values(lists), listsOf({ event: otherEvent })['subscriptions of an event']];
    const { value } = await restPage(owner, list.path, { limit: 1 });
    const refusals: [Asker, List, Where][] = others.filter((each) => each !== list).map((each) => [owner, each, {}]);
    refusals.push([owner, list, { [list.resource.order]: { $gt: '2020-01-01T00:00:00Z' } }]);
    if (/events$/.test(list.path)) refusals.push([data.foreigner, list, {}]);
    for (const [asker, other, where] of refusals) {
      const rest = await restPage(asker, other.path, { where, token: value.next });
      const relay = await relayPage(asker, other, where, { after: value.next });
      expect([other.path, rest.code, relay.code]).toEqual([other.path, 'INVALID_CURSOR', 'INVALID_CURSOR']);
    }
  });
});

const moment = fc
  .integer({ min: 0, max: 45 })
  .map((hours) => new Date(Date.parse('2026-06-01T10:00:00.000Z') + hours * 3_599_999).toISOString());
const condition = conditionsOf(
  { ...eventResource, filters: {} },
  {
    id: fc.constantFrom(...data.events.map(({ id }) => id)),
    text: fc.constantFrom('100%', 'été', 'jazz', 'É', '%', '_', '\\', 'a', ' 1', 'MÜLLER', 'event-5', 'no-such-slug'),
    number: fc.constantFrom(0, 10, 20, 30, 40, 50, 60),
    timestamp: moment,
  },
);

const request = fc.record({
  where: filtersOf(condition),
  direction: fc.constantFrom(1 as const, -1 as const),
  sizes: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
  faces: fc.array(fc.constantFrom('rest', 'graphql'), { minLength: 1, maxLength: 3 }),
  role: fc.constantFrom('owner' as const, 'manager' as const, 'member' as const),
});

it('any filter, direction and page sizes, on either face or changing ones, list, walk back and count what an oracle over the same rows does', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ where, direction, sizes, faces, role }) => {
      const asker = data.askers[role];
      const visible = data.events.filter((row) => role !== 'member' || row.status !== 0);
      const expected = orderedIds(visible, where, 'date_start', direction);
      const orderBy = { field: 'DATE_START', direction: direction === 1 ? 'ASC' : 'DESC' };
      const relayWhere = toGraphqlWhere(where);
      const seen: string[] = [];
      let cursor: string | null = null;
      let page: FacePage;
      let count = 0;
      do {
        const size = sizes[count % sizes.length] as number;
        const answer: FaceAnswer<FacePage> =
          faces[count % faces.length] === 'rest'
            ? await restPage(asker, '/events', { where, sort: direction, limit: size, token: cursor })
            : await graphqlPage(asker, { where: relayWhere, orderBy, first: size, after: cursor });
        expect(answer.code).toBeNull();
        page = answer.value;
        expect(page.hasPrevious).toBe(seen.length > 0);
        expect(page.ids).toEqual(expected.slice(seen.length, seen.length + size));
        seen.push(...page.ids);
        cursor = page.next;
        count += 1;
      } while (page.hasNext);
      expect(seen).toEqual(expected);

      // one page back, by the other face
      if (page.previous !== null && page.hasPrevious) {
        const before = expected.slice(0, expected.length - page.ids.length);
        const back = await graphqlPage(asker, { where: relayWhere, orderBy, last: 5, before: page.previous });
        expect(back.value.ids).toEqual(before.slice(-5));
      }
      const number = visible.filter((row) => matches(row, where)).length;
      expect((await restGet(asker, '/events/count', { where })).body).toBe(number);
      expect((await relayPage(asker, lists.events, where, { first: 0 })).value.total).toBe(number);
      for (const max of [1, number - 1, number, number + 1].filter((each) => each > 0)) {
        const capped = { value: Math.min(number, max), exact: number <= max };
        expect(await restCount(asker, '/events/count', { where, max })).toEqual(capped);
        expect((await relayPage(asker, lists.events, where, { max })).value.count).toEqual(capped);
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

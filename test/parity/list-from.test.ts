import { describe, expect, it } from 'vitest';
import { type Asker, graphql, graphqlPage, restGet, restPage, type Where } from '../support/faces.ts';
import { insertSubscription } from '../support/fixtures.ts';
import { everyItem, expectBadFilter, expectItems, relayPage } from '../support/list-on-both.ts';
import { type List, lists, listsOf } from '../support/lists.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { send } from '../support/send.ts';
import { serveParityData } from './data.ts';
import { fillLists } from './lists.ts';

// Lists that begin at a time (reference/lists.md#from).

const data = await serveParityData();
const { owner, manager, member } = data.askers;
const filled = await fillLists(data);

const beginning: Record<string, List & { asker?: Asker; filter?: Where }> = {
  ...filled,
  'events of a member, filtered': { ...filled.events, asker: member, filter: { visibility: 'public' } },
};

const refused = { status: 400, body: { code: 'INVALID_QUERY', errors: [{ pointer: '/from' }] } };

describe.each(Object.entries(beginning))('%s from a time', (_, list) => {
  const { path, asker = owner, filter: where = {} } = list;
  const { order } = list.resource;
  const relay = (paging: Record<string, unknown>) => relayPage(asker, list, where, paging);

  it.each([1, -1] as const)('begin there, and lead to what stands before, with sort=%i', async (sort) => {
    const rows = await everyItem(asker, list, where);
    expect(rows.length).toBeGreaterThan(20);
    const times = [...new Set(rows.map((row) => String(row[order])))].sort();
    const middle = times[Math.floor(times.length / 2)] as string;
    const beside = (ms: number) => new Date(Date.parse(middle) + ms).toISOString();
    const sorted = orderedIds(rows, {}, order, sort);
    const ends = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];
    for (const from of [middle, beside(1), beside(-1), times[0], times.at(-1), ...ends]) {
      const time = new Date(String(from)).toISOString();
      const isBefore = (row: OracleRow) => (sort === 1 ? String(row[order]) < time : String(row[order]) > time);
      const before = orderedIds(rows.filter(isBefore), {}, order, sort);
      const after = sorted.slice(before.length);
      const { code, value } = await restPage(asker, path, { where, from, sort, limit: 7 });
      expect(code).toBeNull();
      expect(value).toMatchObject({
        ...{ ids: after.slice(0, 7), hasNext: after.length > 7, hasPrevious: before.length > 0 },
        next: after.length > 7 ? expect.any(String) : null,
      });
      // both ways, by cursors of the list without `from`
      if (value.next) {
        const next = await restPage(asker, path, { where, token: value.next, sort, limit: 50 });
        expect(next.value.ids).toEqual(after.slice(7, 57));
      }
      if (value.previous) {
        const previous = await restPage(asker, path, { where, token: value.previous, sort, limit: 7 });
        expect(previous.value.ids).toEqual(before.slice(-7));
      }
      if (sort === -1) continue;
      const first = await relay({ from, first: 7 });
      expect(first.code).toBeNull();
      expect(first.value).toMatchObject({ ids: value.ids, hasNext: value.hasNext, hasPrevious: value.hasPrevious });
      if (value.next) expect(first.value.next).toBe(value.next);
      expect(first.value.total).toBe(rows.length);
      expect((await relay({ from, last: 7 })).value).toMatchObject({ ids: after.slice(-7), hasNext: false });
      if (first.value.previous) {
        expect((await relay({ last: 7, before: first.value.previous })).value.ids).toEqual(before.slice(-7));
      }
    }
  });

  it('is refused beside a cursor, on both faces', async () => {
    const { value } = await restPage(asker, path, { where, limit: 1 });
    const from = '2026-01-01T00:00:00Z';
    expect(await restGet(asker, path, { where, from, token: value.next })).toMatchObject(refused);
    for (const bound of ['after', 'before']) {
      expect((await relay({ from, [bound]: value.next })).code).toBe('INVALID_QUERY');
    }
  });

  it.each(['', '2026-01-01', '2026-02-30T00:00:00Z', 'now'])('refuses %j as a time', async (from) => {
    expect(await restGet(asker, path, { where, from })).toMatchObject(refused);
  });
});

describe('`from`', () => {
  it('stands in the body of a query, and in the order by creation in GraphQL', async () => {
    const from = '2026-01-01T00:00:05.000Z';
    const { data: found } = await graphql(
      owner,
      `query ($from: DateTime) { events(from: $from, first: 1, orderBy: {field: CREATED_AT}) { nodes { createdAt } pageInfo { hasPreviousPage } } }`,
      { from },
    );
    expect(found?.events).toEqual({ nodes: [{ createdAt: from }], pageInfo: { hasPreviousPage: true } });
    const asked = { from: '2026-06-01T12:00:00+02:00', limit: 1 };
    const posted = await send(owner, owner, 'POST /events/query', asked);
    expect(posted.body).toMatchObject({ items: [{ date_start: '2026-06-01T10:00:00.000Z' }], prev: null });
    for (const odd of [{ toString: 1 }, [], 5, null]) {
      expect(await send(owner, owner, 'POST /events/query', { from: odd })).toMatchObject(refused);
    }
  });

  it('begins a descending list in GraphQL as `sort=-1` does in REST', async () => {
    for (const from of ['2026-06-01T15:00:00Z', '2026-06-01T09:00:00Z', '2027-01-01T00:00:00Z']) {
      const rest = (await restPage(owner, '/events', { from, sort: -1, limit: 5 })).value;
      const { value } = await graphqlPage(owner, { from, first: 5, orderBy: { direction: 'DESC' } });
      expect(value).toMatchObject({ ids: rest.ids, hasPrevious: rest.hasPrevious, hasNext: rest.hasNext });
      if (rest.next) expect(value.next).toBe(rest.next);
    }
  });

  it.each(['/events/count', '/subscriptions/count'])('changes nothing in %s', async (path) => {
    const { body } = await restGet(owner, path, { from: '2026-06-01T10:00:00Z' });
    expect(body).toBe((await restGet(owner, path)).body);
  });

  it.each(['/events/export', '/subscriptions/export', `/events/${data.eventId}/subscriptions/export`])(
    'is refused by %s, as every page is',
    async (path) => {
      expect(await restGet(owner, path, { format: 'csv', from: '2026-06-01T10:00:00Z' })).toMatchObject(refused);
    },
  );

  it('reads the pages of many events in GraphQL, each with what stands before', async () => {
    const ask = async (from: string) => {
      const { data: found } = await graphql(
        owner,
        `query ($from: DateTime) { events(where: {status: {eq: ACTIVE}}) { nodes { databaseId subscriptions(first: 1, from: $from) {
          nodes { createdAt } pageInfo { hasPreviousPage } } } } }`,
        { from },
      );
      const { events } = found as unknown as { events: { nodes: { databaseId: string; subscriptions: object }[] } };
      return events.nodes.find(({ databaseId }) => databaseId === data.eventId)?.subscriptions;
    };
    const createdAt = '2026-03-01T00:00:02.000Z';
    expect(await ask(createdAt)).toEqual({ nodes: [{ createdAt }], pageInfo: { hasPreviousPage: true } });
    expect(await ask('2026-01-01T00:00:00Z')).toMatchObject({ pageInfo: { hasPreviousPage: false } });
  });
});

// The lists of the subscriptions of an organization, and of an event (reference/lists.md#operations).

const [draft, cancelled] = await Promise.all(
  [data.draftId, data.events.find(({ status }) => status === 2)?.id].map(async (eventId) => {
    const userId = member.userId;
    const createdAt = new Date('2026-03-01T00:00:03.500Z');
    const { id } = await insertSubscription(data.server.orm, { eventId: eventId as string, userId, createdAt });
    const at = createdAt.toISOString();
    const row = { id, event_id: eventId, user_id: userId, status: 'accepted', checked_in_at: null };
    return { ...row, created_at: at, updated_at: at } as OracleRow;
  }),
);
const all = [...data.subscriptions, draft, cancelled] as OracleRow[];
const own = [...data.subscriptions.filter(({ user_id }) => user_id === member.userId), cancelled] as OracleRow[];
const otherEvent = String(cancelled?.event_id);

const subscriptionsOf = (event: string) => listsOf({ event })['subscriptions of an event'];
const ofEvent = subscriptionsOf(data.eventId);
const { subscriptions } = lists;

const filters: [string, Where][] = [
  ['nothing', {}],
  ['another event', { event_id: otherEvent }],
  ['all events but one', { event_id: { $ne: data.eventId } }],
  ['two events', { event_id: { $in: [data.eventId, otherEvent] }, status: { $in: ['accepted', 'declined'] } }],
  ['neither an event nor a status', { $not: { $or: [{ event_id: otherEvent }, { status: 'pending' }] } }],
  ['no early check-in', { $not: { checked_in_at: { $lt: '2026-03-01T00:00:05.000Z' } } }],
  ['the time of the last change', { updated_at: { $gte: '2026-03-01T00:00:03.500Z' } }],
];

describe.each([
  ['the organization, for a manager', manager, all, subscriptions],
  ['the organization, for an owner', owner, all, subscriptions],
  ['the organization, for a member', member, own, subscriptions],
  ['an event', manager, data.subscriptions, ofEvent],
  ['an event, for a member', member, own.filter(({ event_id }) => event_id === data.eventId), ofEvent],
] as [string, Asker, OracleRow[], typeof ofEvent][])('the subscriptions of %s', (_, asker, visible, list) => {
  const possible = filters.filter(([, where]) => list !== ofEvent || !JSON.stringify(where).includes('event_id'));
  it.each(possible)('by %s are the same walk and number on both faces', async (_name, where) => {
    await expectItems(asker, list, where, orderedIds(visible, where, 'created_at', 1), 17);
  });
});

it('the list takes a global id of an event in a GraphQL filter', async () => {
  const id = Buffer.from(`Event:${otherEvent}`).toString('base64');
  const { value } = await relayPage(manager, subscriptions, { event_id: id });
  expect(value.ids).toEqual([cancelled?.id]);
});

it('`eventId` in the subscriptions of an event is one more condition in GraphQL; REST names the event in the path alone', async () => {
  const ask = async (event: string) => {
    const { data: found } = await graphql(
      manager,
      `query ($event: ID!, $other: ID!) {
        event(id: $event) { subscriptions(where: {eventId: {eq: $other}}) { totalCount nodes { databaseId } } }
        events(first: 50) { nodes { subscriptions(first: 1, where: {eventId: {eq: $other}}) { nodes { event { databaseId } } } } }
      }`,
      { event: data.eventId, other: event },
    );
    return found as unknown as {
      event: { subscriptions: { totalCount: number } };
      events: { nodes: { subscriptions: { nodes: { event: { databaseId: string } }[] } }[] };
    };
  };
  expect((await ask(data.eventId)).event.subscriptions.totalCount).toBe(data.subscriptions.length);
  const { event, events } = await ask(otherEvent);
  expect(event.subscriptions.totalCount).toBe(0);
  const found = events.nodes.flatMap(({ subscriptions }) => subscriptions.nodes);
  expect(found).toEqual([{ event: { databaseId: otherEvent } }]);
  await expectBadFilter(manager, ofEvent.path, { event_id: data.eventId }, '/where/event_id');
});

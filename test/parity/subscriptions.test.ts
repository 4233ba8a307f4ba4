import { describe, expect, it } from 'vitest';
import { connectionPage, type Opening } from '../support/connection-page.ts';
import {
  type Asker,
  type FacePage,
  graphql,
  headersOf,
  restCount,
  restGet,
  restPage,
  toGraphqlWhere,
  type Where,
} from '../support/faces.ts';
import { insertSubscription } from '../support/fixtures.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { shared } from '../support/shared.ts';
import { createParityData } from './data.ts';

// The lists of the subscriptions of an organization, and of an event (reference/lists.md#operations).

const data = await shared(createParityData());
const { owner, manager, member } = data.askers;
const [draft, cancelled] = await Promise.all(
  [data.draftId, data.events.find(({ status }) => status === 2)?.id].map(async (eventId) => {
    const userId = data.userIds.member;
    const createdAt = new Date('2026-03-01T00:00:03.500Z');
    const { id } = await insertSubscription(data.server.orm, { eventId: eventId as string, userId, createdAt });
    const at = createdAt.toISOString();
    const row = { id, event_id: eventId, user_id: userId, status: 'accepted', checked_in_at: null };
    return { ...row, created_at: at, updated_at: at } as OracleRow;
  }),
);
const all = [...data.subscriptions, draft, cancelled] as OracleRow[];
const own = [...data.subscriptions.filter(({ user_id }) => user_id === data.userIds.member), cancelled] as OracleRow[];
const otherEvent = String(cancelled?.event_id);

const opening = { open: 'eventSubscriptions', where: 'EventSubscriptionWhere' };
const ofEvent = { open: `event(id: "${data.eventId}") { connection: subscriptions`, where: opening.where };
const ofEventPath = `/events/${data.eventId}/subscriptions`;
const graphqlPage = (asker: Asker, where: Where, paging: Record<string, unknown>, list: Opening = opening) =>
  connectionPage(asker, list, { where: toGraphqlWhere(where, ['status']), ...paging });

const filters: [string, Where][] = [
  ['nothing', {}],
  ['a status', { status: 'accepted' }],
  ['an event', { event_id: data.eventId }],
  ['another event', { event_id: otherEvent }],
  ['all events but one', { event_id: { $ne: data.eventId } }],
  ['two events', { event_id: { $in: [data.eventId, otherEvent] }, status: { $in: ['accepted', 'declined'] } }],
  ['neither an event nor a status', { $not: { $or: [{ event_id: otherEvent }, { status: 'pending' }] } }],
  ['a person', { user_id: data.userIds.member }],
  ['no check-in', { checked_in_at: null }],
  ['a check-in', { checked_in_at: { $ne: null } }],
  ['no early check-in', { $not: { checked_in_at: { $lt: '2026-03-01T00:00:05.000Z' } } }],
  ['the time of the last change', { updated_at: { $gte: '2026-03-01T00:00:03.500Z' } }],
];

describe.each([
  ['the organization, for a manager', manager, all, '/subscriptions', opening],
  ['the organization, for an owner', owner, all, '/subscriptions', opening],
  ['the organization, for a member', member, own, '/subscriptions', opening],
  ['an event', manager, data.subscriptions, ofEventPath, ofEvent],
] as const)('the subscriptions of %s', (_, asker, visible, path, list) => {
  const possible = filters.filter(([, where]) => list === opening || !JSON.stringify(where).includes('event_id'));
  it.each(possible)('by %s are the same walk and number on both faces', async (_name, where) => {
    const expected = orderedIds(visible, where, 'created_at', 1);
    for (const start of [0, 1]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      let page: FacePage;
      let turn = start;
      do {
        const rest = await restPage(asker, path, { where, limit: 17, token: cursor });
        const relay = await graphqlPage(asker, where, { first: 17, after: cursor }, list);
        expect([rest.code, relay.code]).toEqual([null, null]);
        expect([relay.value.ids, relay.value.hasNext]).toEqual([rest.value.ids, rest.value.hasNext]);
        expect([rest.value.hasPrevious, relay.value.hasPrevious]).toEqual([seen.length > 0, seen.length > 0]);
        if (rest.value.hasNext) expect(relay.value.next).toBe(rest.value.next);
        expect(relay.value.total).toBe(expected.length);
        page = turn % 2 === 0 ? rest.value : relay.value;
        seen.push(...page.ids);
        cursor = page.next;
        turn += 1;
      } while (page.hasNext);
      expect(seen).toEqual(expected);
    }
    expect((await restGet(asker, `${path}/count`, { where })).body).toBe(expected.length);
    for (const max of [expected.length - 1, expected.length].filter((each) => each > 0)) {
      const capped = { value: max, exact: max === expected.length };
      expect(await restCount(asker, `${path}/count`, { where, max })).toEqual(capped);
      expect((await graphqlPage(asker, where, { first: 0, max }, list)).value.count).toEqual(capped);
    }
    const descending = (await restPage(asker, path, { where, sort: -1 })).value.ids;
    expect(descending).toEqual(orderedIds(visible, where, 'created_at', -1).slice(0, 50));
    const posted = await fetch(`${asker.url}${path}/query`, {
      method: 'POST',
      headers: { ...headersOf(asker), 'content-type': 'application/json' },
      body: JSON.stringify({ where, sort: -1, fields: 'id' }),
    });
    expect(((await posted.json()) as { items: unknown[] }).items).toEqual(descending.map((id) => ({ id })));
  });
});

describe('an item of the list', () => {
  const items = async (path: string, query: Record<string, unknown>) =>
    ((await restGet(manager, path, query)).body as { items: object[] }).items;

  it('has the fields and relations that a subscription of an event has', async () => {
    const query = { limit: 3, include: 'user event' };
    const body = await items('/subscriptions', { ...query, where: { event_id: data.eventId } });
    const ofEvent = await items(`/events/${data.eventId}/subscriptions`, query);
    expect(body).toEqual(ofEvent);
    expect(body[0]).toMatchObject({ user: { email: expect.any(String) }, event: { id: data.eventId } });
    const { data: found } = await graphql(
      manager,
      `query ($event: ID!) {
        all: eventSubscriptions(first: 3, where: {eventId: {eq: $event}}) { nodes { id status user { name email } event { name } } }
        event(id: $event) { of: subscriptions(first: 3) { nodes { id status user { name email } event { name } } } }
      }`,
      { event: data.eventId },
    );
    const { all: listed, event } = found as unknown as { all: object; event: { of: object } };
    expect(listed).toEqual(event.of);
  });

  it('takes a global id of an event in a GraphQL filter', async () => {
    const id = Buffer.from(`Event:${otherEvent}`).toString('base64');
    const { value } = await connectionPage(manager, opening, { where: { eventId: { eq: id } } });
    expect(value.ids).toEqual([cancelled?.id]);
  });
});

describe('the cursors of the list', () => {
  it('belong to no list of one event, and to one filter', async () => {
    const { value } = await restPage(manager, '/subscriptions', { limit: 5 });
    const within = await restPage(manager, `/events/${data.eventId}/subscriptions`, { token: value.next });
    const where = { event_id: data.eventId };
    const filtered = await restPage(manager, '/subscriptions', { where, token: value.next });
    const relay = await graphqlPage(manager, where, { after: value.next });
    expect([within.code, filtered.code, relay.code]).toEqual(Array(3).fill('INVALID_CURSOR'));
  });

  it('of one event belong to no other, on both faces', async () => {
    const { value } = await restPage(manager, ofEventPath, { limit: 5 });
    const rest = await restPage(manager, `/events/${otherEvent}/subscriptions`, { token: value.next });
    const relay = await graphqlPage(
      manager,
      {},
      { after: value.next },
      { ...ofEvent, open: ofEvent.open.replace(data.eventId, otherEvent) },
    );
    expect([rest.code, relay.code]).toEqual(['INVALID_CURSOR', 'INVALID_CURSOR']);
  });

  it('are not bound to the viewer', async () => {
    const { value } = await restPage(manager, '/subscriptions', { limit: 5 });
    const position = all.find(({ id }) => id === value.ids.at(-1)) as OracleRow;
    const answer = await restPage(member, '/subscriptions', { token: value.next });
    const key = (row: OracleRow) => `${row.created_at} ${row.id}`;
    const after = own.filter((row) => key(row) > key(position));
    expect(answer.value.ids).toEqual(orderedIds(after, {}, 'created_at', 1));
  });
});

describe('`eventId` in the subscriptions of an event', () => {
  it('is one more condition in GraphQL; REST names the event in the path alone', async () => {
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
    const { status, body } = await restGet(manager, `/events/${data.eventId}/subscriptions`, {
      where: { event_id: data.eventId },
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY', errors: [{ pointer: '/where/event_id' }] },
    });
  });
});

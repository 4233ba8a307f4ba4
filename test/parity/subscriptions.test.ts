import { describe, expect, it } from 'vitest';
import { type Asker, graphql, type Where } from '../support/faces.ts';
import { insertSubscription } from '../support/fixtures.ts';
import { expectBadFilter, expectItems, relayPage } from '../support/list-on-both.ts';
import { lists, listsOf } from '../support/lists.ts';
import { type OracleRow, orderedIds } from '../support/oracle.ts';
import { serveParityData } from './data.ts';

// The lists of the subscriptions of an organization, and of an event (reference/lists.md#operations).

const data = await serveParityData();
const { owner, manager, member } = data.askers;
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
  ['a status', { status: 'accepted' }],
  ['an event', { event_id: data.eventId }],
  ['another event', { event_id: otherEvent }],
  ['all events but one', { event_id: { $ne: data.eventId } }],
  ['two events', { event_id: { $in: [data.eventId, otherEvent] }, status: { $in: ['accepted', 'declined'] } }],
  ['neither an event nor a status', { $not: { $or: [{ event_id: otherEvent }, { status: 'pending' }] } }],
  ['a person', { user_id: member.userId }],
  ['no check-in', { checked_in_at: null }],
  ['a check-in', { checked_in_at: { $ne: null } }],
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

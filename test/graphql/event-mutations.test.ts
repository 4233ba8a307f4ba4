import { expect, it } from 'vitest';
import { type Caller, globalId, graphql, query } from '../support/graphql.ts';
import { createTeam, serveTeam } from '../support/team.ts';
import { mutate } from '../support/write-faces.ts';

// What only GraphQL has: global ids, null for what is left out, and `clientMutationId`.

const { server, team } = await serveTeam();

const dates = { dateStart: '2127-05-01T10:00:00.000Z', dateEnd: '2127-05-01T12:00:00.000Z' };

/** What a mutation that must not fail answers. */
async function run(caller: Caller, field: string, selection: string, input: Record<string, unknown>) {
  const { data, text } = await mutate(server, caller, field, selection, input);
  if (!data?.[field]) throw new Error(text);
  return data[field] as unknown as Record<'event', { id: string; databaseId: string }> & Record<string, unknown>;
}

it('updateEvent leaves what is null and may not be, and clears the rest', async () => {
  const input = { name: 'Open Day', ...dates, location: 'Hall', capacity: 4, clientMutationId: 'mine' };
  const { event, ...others } = await run(team.manager, 'createEvent', 'clientMutationId event { id }', input);
  expect(others).toEqual({ clientMutationId: 'mine' });
  const selection = 'event { name location capacity version }';
  const cleared = await run(team.manager, 'updateEvent', selection, { id: event.id, name: null, location: null });
  expect(cleared.event).toEqual({ name: 'Open Day', location: null, capacity: 4, version: 2 });
});

it('deleteEvent answers the global id of what was', async () => {
  const input = { name: 'Gone', ...dates };
  const { event } = await run(team.manager, 'createEvent', 'event { id databaseId }', input);
  const deleted = await run(team.manager, 'deleteEvent', 'deletedEventId', { id: event.databaseId });
  expect(deleted).toEqual({ deletedEventId: event.id });
  const { data } = await graphql(server, team.manager, `{ node(id: "${event.id}") { id } }`);
  expect(data).toEqual({ node: null });
});

it('subscribeToEvent takes the global id of a user', async () => {
  const created = { name: 'Us', ...dates, status: 'ACTIVE' };
  const { event } = await run(team.manager, 'createEvent', 'event { id }', created);
  const { userId } = team.member;
  const input = { eventId: event.id, userId: globalId('User', userId), status: 'PENDING' };
  const made = await run(team.manager, 'subscribeToEvent', 'eventSubscription { userDatabaseId status }', input);
  expect(made).toEqual({ eventSubscription: { userDatabaseId: userId, status: 'PENDING' } });
});

it('payloads have edges with the cursors of the lists that they belong to', async () => {
  const { manager, member } = await createTeam(server);
  const edgeOf = (name: string) => `event { id } edge: ${name} { cursor node { id } }`;
  const made = await run(manager, 'createEvent', edgeOf('eventEdge'), { name: 'Edge', ...dates, status: 'ACTIVE' });
  const { id } = made.event;
  const copied = await run(manager, 'duplicateEvent', edgeOf('eventEdge'), { id });
  const all = '{ events { edges { cursor node { id } } } }';
  expect(await query(server, manager, all)).toEqual({ events: { edges: [made.edge, copied.edge] } });

  const subscribed = await run(member, 'subscribeToEvent', edgeOf('eventSubscriptionEdge'), { eventId: id });
  expect(subscribed.event).toEqual({ id });
  const ofEvent = 'query ($id: ID!) { event(id: $id) { subscriptions { edges { cursor node { id } } } } }';
  const { edge: own } = subscribed;
  expect(await query(server, manager, ofEvent, { id })).toEqual({ event: { subscriptions: { edges: [own] } } });
});

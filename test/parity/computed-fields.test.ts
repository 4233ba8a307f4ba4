import { describe, expect, it } from 'vitest';
import { type Availability, availabilities } from '../../src/domain/event/event-moment.ts';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { type EventInput, insertEvent, insertSubscription, insertUser } from '../support/fixtures.ts';
import { graphql, query } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam, type Person } from '../support/team.ts';

// What an event shows only to those who ask for it (reference/events.md#computed-fields).

const server = await shared(startTestServer());
const team = await createTeam(server);
const { organizationId, manager, member } = team;
const hour = 3_600_000;

async function event(input: Partial<EventInput> & { subscribed?: readonly string[] }): Promise<string> {
  const { subscribed = [], ...given } = input;
  const dateStart = given.dateStart ?? new Date(Date.now() + 48 * hour);
  const { id } = await insertEvent(server.orm, { organizationId, dateStart, ...given });
  for (const status of subscribed) {
    const { id: userId } = await insertUser(server.orm, { password: null });
    await insertSubscription(server.orm, { eventId: id, userId, status: status as 'accepted' });
  }
  return id;
}

const over = { dateStart: new Date(Date.now() - 5 * hour), dateEnd: new Date(Date.now() - 4 * hour) };
const cases: [string, Parameters<typeof event>[0], Availability, Availability][] = [
  ['with free places', { capacity: 2, subscribed: ['accepted'] }, 'open', 'open'],
  ['without a limit', { capacity: null }, 'open', 'open'],
  ['that wants approval', { registration: 'approval', capacity: 0 }, 'approval', 'approval'],
  ['that is full', { capacity: 1, subscribed: ['accepted'] }, 'waiting_list', 'waiting_list'],
  ['where somebody waits', { capacity: 2, subscribed: ['accepted', 'waitlisted'] }, 'waiting_list', 'waiting_list'],
  ['that is closed', { registration: 'closed' }, 'closed', 'closed'],
  ['that is cancelled', { status: 2 }, 'closed', 'closed'],
  ['that is archived', { status: 3 }, 'closed', 'closed'],
  ['that is over', over, 'closed', 'open'],
  ['that is over and full', { ...over, capacity: 0 }, 'closed', 'waiting_list'],
];

/** `availability` of an event on every way to it. */
async function availabilityFor(person: Person, id: string): Promise<Set<string>> {
  const where = encodeURIComponent(JSON.stringify({ id }));
  const one = await send(server, person, `GET /events/${id}?fields=availability`);
  const list = await send<{ items: object[] }>(server, person, `GET /events?fields=availability&where=${where}`);
  expect([one.body, list.body.items]).toEqual([
    { availability: expect.any(String) },
    [{ availability: expect.any(String) }],
  ]);
  const { event, events, node } = await query<{
    event: { availability: string };
    events: { nodes: { availability: string }[] };
    node: { availability: string };
  }>(
    server,
    person,
    `query ($id: ID!, $node: ID!) {
      event(id: $id) { availability } events(where: {id: {eq: $id}}) { nodes { availability } }
      node(id: $node) { ... on Event { availability } }
    }`,
    { id, node: Buffer.from(`Event:${id}`).toString('base64') },
  );
  const found = [event, node, ...events.nodes].map(({ availability }) => availability.toLowerCase());
  return new Set([...found, ...[one.body, ...list.body.items].map((each) => String(Object.values(each)[0]))]);
}

describe('availability', () => {
  it.each(cases)('of an event %s is what a new subscription meets', async (_, input, forMember, forManager) => {
    const id = await event(input);
    expect(await availabilityFor(member, id)).toEqual(new Set([forMember]));
    expect(await availabilityFor(manager, id)).toEqual(new Set([forManager]));
    // what it says, a subscription then meets; a place that is free beside a waiting list is filled by the next write
    if (input.subscribed?.includes('waitlisted')) return;
    for (const [person, said] of [
      [member, forMember],
      [manager, forManager],
    ] as const) {
      if (said === 'open' && input.capacity) continue;
      const { status, body } = await send(server, person, `POST /events/${id}/subscriptions`, {});
      const met = status === 201 ? body.status : body.code;
      const becomes = { open: 'accepted', approval: 'pending', waiting_list: 'waitlisted' } as Record<string, string>;
      expect(met).toBe(becomes[said] ?? (said === 'full' ? 'EVENT_FULL' : 'REGISTRATION_CLOSED'));
    }
  });

  it('of a full event without a waiting list is `full`, and of a draft `closed`', async () => {
    const id = await event({ capacity: 0 });
    await server.execute('update event set waiting_list = false where id = ?', [id]);
    expect(await availabilityFor(member, id)).toEqual(new Set(['full']));
    expect(await availabilityFor(manager, await event({ status: 0 }))).toEqual(new Set(['closed']));
  });

  it('is in the answer of a mutation as it is after it', async () => {
    const id = await event({ capacity: 1 });
    const { subscribeToEvent } = await query<{ subscribeToEvent: unknown }>(
      server,
      member,
      'mutation ($id: ID!) { subscribeToEvent(input: {eventId: $id}) { event { availability } eventSubscription { event { availability } } } }',
      { id },
    );
    const shown = { availability: 'WAITING_LIST' };
    expect(subscribeToEvent).toEqual({ event: shown, eventSubscription: { event: shown } });
    const { updateEvent } = await query<{ updateEvent: unknown }>(
      server,
      manager,
      'mutation ($id: ID!) { updateEvent(input: {id: $id, capacity: 5}) { event { availability subscriptionCounts { accepted } } } }',
      { id },
    );
    expect(updateEvent).toEqual({ event: { availability: 'OPEN', subscriptionCounts: { accepted: 1 } } });
  });
});

describe('subscription_counts', () => {
  it('are the numbers of each status and of check-ins, for managers', async () => {
    const statuses = subscriptionStatuses.flatMap((status, index) => Array<string>(index + 1).fill(status));
    const id = await event({ name: 'Counted', subscribed: statuses });
    const empty = await event({ name: 'Counted' });
    const { id: userId } = await insertUser(server.orm, { password: null });
    await insertSubscription(server.orm, { eventId: id, userId, status: 'accepted', checkedInAt: new Date() });
    const expected = { pending: 1, accepted: 3, waitlisted: 4, declined: 3, cancelled: 5, checked_in: 1 };
    const none = { pending: 0, accepted: 0, waitlisted: 0, declined: 0, cancelled: 0, checked_in: 0 };
    const where = encodeURIComponent('{"name":"Counted"}');
    for (const person of [manager, team.owner]) {
      const { body } = await send(server, person, `GET /events?fields=id+subscription_counts&where=${where}`);
      expect(body.items).toEqual([
        { id, subscription_counts: expected },
        { id: empty, subscription_counts: none },
      ]);
      const one = await send(server, person, `GET /events/${id}?fields=subscription_counts`);
      expect(one.body).toEqual({ subscription_counts: expected });
      const posted = await send(server, person, 'POST /events/query', {
        where: { name: 'Counted' },
        fields: 'subscription_counts',
      });
      expect(posted.body.items).toEqual([{ subscription_counts: expected }, { subscription_counts: none }]);
      const counts = '{ pending accepted waitlisted declined cancelled checkedIn }';
      const { events } = await query<{ events: { nodes: object[] } }>(
        server,
        person,
        `{ events(where: {name: {contains: "Counted"}}) { nodes { subscriptionCounts ${counts} } } }`,
      );
      const relay = ({ checked_in: checkedIn, ...others }: typeof expected) => ({ ...others, checkedIn });
      expect(events.nodes).toEqual([expected, none].map((each) => ({ subscriptionCounts: relay(each) })));
    }
  });

  it('are null for members, on both faces', async () => {
    const id = await event({ subscribed: ['accepted'] });
    const { body } = await send(server, member, `GET /events/${id}?fields=subscription_counts`);
    expect(body).toEqual({ subscription_counts: null });
    const answer = await graphql(
      server,
      member,
      'query ($id: ID!) { event(id: $id) { subscriptionCounts { accepted } } }',
      {
        id,
      },
    );
    expect(answer.data).toEqual({ event: { subscriptionCounts: null } });
  });
});

describe('computed fields', () => {
  it('are shown only where they are named', async () => {
    const id = await event({});
    for (const path of [`/events/${id}`, `/events/${id}?fields=name`]) {
      const { body } = await send(server, manager, `GET ${path}`);
      expect(body).not.toHaveProperty('availability');
      expect(body).not.toHaveProperty('subscription_counts');
    }
  });

  it.each(['availability', 'subscription_counts'])('cannot be filtered: %s', async (name) => {
    const where = encodeURIComponent(JSON.stringify({ [name]: availabilities[0] }));
    const filtered = await send(server, manager, `GET /events?where=${where}`);
    expectCode(filtered, 400, 'INVALID_QUERY');
  });
});

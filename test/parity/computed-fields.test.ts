import { describe, expect, it } from 'vitest';
import { type Availability, availabilities } from '../../src/domain/event/event-moment.ts';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { type EventInput, insertEvent, insertSubscription, insertUser } from '../support/fixtures.ts';
import { callerHeaders, graphql, query } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { type Person, serveTeam } from '../support/team.ts';

// What an event shows only to those who ask for it (reference/events.md#computed-fields).

const { server, team } = await serveTeam();
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

describe('places_left', () => {
  it.each([
    [null, 1, null],
    [3, 1, 2],
    [1, 1, 0],
    [1, 2, 0],
  ])('of a capacity of %s with %i accepted is %s', async (capacity, accepted, left) => {
    const id = await event({ capacity, visibility: 'public', subscribed: Array<string>(accepted).fill('accepted') });
    const shown = { places_left: left };
    const where = encodeURIComponent(JSON.stringify({ id }));
    for (const [caller, path] of [
      [member, '/events'],
      [{ organizationId }, '/public/events'],
    ] as const) {
      const one = await send(server, caller, `GET ${path}/${id}?fields=places_left`);
      const list = await send(server, caller, `GET ${path}?fields=places_left&where=${where}`);
      expect([one.body, list.body.items]).toEqual([shown, [shown]]);
    }
    const document = 'query ($id: ID!) { event(id: $id) { placesLeft } publicEvent(id: $id) { placesLeft } }';
    expect(await query(server, member, document, { id })).toEqual({
      event: { placesLeft: left },
      publicEvent: { placesLeft: left },
    });
    const exported = await send(server, manager, `GET /events/export?format=ndjson&fields=places_left&where=${where}`);
    expect(JSON.parse(exported.text)).toEqual(shown);
  });

  it('is never confirmed by an entity tag, nor kept by caches', async () => {
    const id = await event({ capacity: 3, visibility: 'public' });
    const anybody = { organizationId };
    const any = { 'if-none-match': '*' };
    for (const path of [`/public/events/${id}?fields=id+places_left`, '/public/events?fields=places_left']) {
      const answer = await send(server, anybody, `GET ${path}`, undefined, any);
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    }
    const posted = await send(server, anybody, 'POST /public/events/query', { fields: 'places_left' }, any);
    expect([posted.status, posted.headers.get('etag')]).toEqual([200, null]);
  });
});

describe('url', () => {
  it.each([
    ['public', 0, false],
    ['public', 1, true],
    ['public', 2, true],
    ['public', 3, false],
    ['organization', 1, false],
  ] as const)('of an event with the visibility %s and the status %i', async (visibility, status, hasPage) => {
    const id = await event({ visibility, status });
    const where = encodeURIComponent(JSON.stringify({ id }));
    const { body } = await send<{ url: string | null }>(server, manager, `GET /events/${id}?fields=url`);
    expect(body).toEqual({ url: hasPage ? expect.stringMatching(/^http:\/\/events\.test\/o\/organization-/) : null });
    const list = await send(server, manager, `GET /events?fields=url&where=${where}`);
    const exported = await send(server, manager, `GET /events/export?format=ndjson&fields=url&where=${where}`);
    expect([list.body.items, JSON.parse(exported.text)]).toEqual([[body], body]);
    const document = 'query ($id: ID!) { event(id: $id) { url } publicEvent(id: $id) { url } }';
    const answer = await query(server, manager, document, { id });
    expect(answer).toEqual({ event: body, publicEvent: hasPage ? body : null });
    if (body.url === null) return;
    const seen = await send(server, { organizationId }, `GET /public/events/${id}?fields=url`);
    expect(seen.body).toEqual(body);
    const page = await fetch(body.url.replace('http://events.test', server.url));
    expect([page.status, (await page.text()).includes('An event')]).toEqual([200, true]);
  });

  it('is in the answer of a mutation as it is after it', async () => {
    const id = await event({});
    const { updateEvent } = await query<{ updateEvent: { event: { url: string } } }>(
      server,
      manager,
      'mutation ($id: ID!) { updateEvent(input: {id: $id, visibility: PUBLIC}) { event { url placesLeft } } }',
      { id },
    );
    expect(updateEvent.event).toEqual({ url: expect.stringContaining('/o/'), placesLeft: null });
  });
});

describe('waiting_position', () => {
  it('is the place on the list of its event, for whoever sees the subscription', async () => {
    const id = await event({ capacity: 0, subscribed: ['pending', 'cancelled'] });
    const other = await event({ capacity: 0 });
    const ids: string[] = [];
    for (const person of [team.owner, member, manager]) {
      const made = await send<{ id: string; status: string }>(server, person, `POST /events/${id}/subscriptions`, {});
      expect(made.body.status).toBe('waitlisted');
      ids.push(made.body.id);
    }
    await send(server, member, `POST /events/${other}/subscriptions`, {});
    const positions = async () => {
      const where = encodeURIComponent(JSON.stringify({ event_id: id, status: 'waitlisted' }));
      const fields = 'fields=id+waiting_position';
      const list = await send<{ items: object[] }>(server, manager, `GET /subscriptions?${fields}&where=${where}`);
      const waiting = encodeURIComponent('{"status":"waitlisted"}');
      for (const path of [
        `/events/${id}/subscriptions/export?where=${waiting}`,
        `/subscriptions/export?where=${where}`,
      ]) {
        const exported = await fetch(`${server.url}${path}&format=ndjson&${fields}`, {
          headers: callerHeaders(manager),
        });
        const lines = (await exported.text()).trim().split('\n');
        expect(lines.map((line) => JSON.parse(line) as object)).toEqual(list.body.items);
      }
      const { event: found } = await query<{ event: { subscriptions: { nodes: object[] } } }>(
        server,
        manager,
        'query ($id: ID!) { event(id: $id) { subscriptions(where: {status: {eq: WAITLISTED}}) { nodes { id: databaseId waiting_position: waitingPosition } } } }',
        { id },
      );
      expect(found.subscriptions.nodes).toEqual(list.body.items);
      return list.body.items;
    };
    expect(await positions()).toEqual(ids.map((each, index) => ({ id: each, waiting_position: index + 1 })));
    const own = `/events/${id}/subscriptions/${ids[1]}`;
    expect((await send(server, member, `GET ${own}?fields=waiting_position`)).body).toEqual({ waiting_position: 2 });
    await send(server, manager, `PATCH /events/${id}`, { capacity: 1 });
    expect(await positions()).toEqual([
      { id: ids[1], waiting_position: 1 },
      { id: ids[2], waiting_position: 2 },
    ]);
    const accepted = `/events/${id}/subscriptions/${ids[0]}`;
    expect((await send(server, manager, `GET ${accepted}?fields=waiting_position`)).body).toEqual({
      waiting_position: null,
    });
  });

  it('is in the answer of a mutation', async () => {
    const id = await event({ capacity: 0 });
    await send(server, manager, `POST /events/${id}/subscriptions`, {});
    const { subscribeToEvent } = await query<{ subscribeToEvent: unknown }>(
      server,
      member,
      'mutation ($id: ID!) { subscribeToEvent(input: {eventId: $id}) { eventSubscription { waitingPosition } } }',
      { id },
    );
    expect(subscribeToEvent).toEqual({ eventSubscription: { waitingPosition: 2 } });
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
      for (const name of ['subscription_counts', 'places_left', 'url', 'viewer_can'])
        expect(body).not.toHaveProperty(name);
    }
  });

  it.each(['availability', 'subscription_counts', 'places_left', 'url'])('cannot be filtered: %s', async (name) => {
    const where = encodeURIComponent(JSON.stringify({ [name]: availabilities[0] }));
    const filtered = await send(server, manager, `GET /events?where=${where}`);
    expectCode(filtered, 400, 'INVALID_QUERY');
  });
});

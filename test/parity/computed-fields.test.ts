import { describe, expect, it } from 'vitest';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { type EventInput, insertEvent, insertSubscription, insertUser } from '../support/fixtures.ts';
import { type Caller, expectCode, globalId, graphql, query, send } from '../support/send.ts';
import { type Person, serveTeam } from '../support/server.ts';

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

const whereOf = (filter: object) => encodeURIComponent(JSON.stringify(filter));
const anybody: Caller = { organizationId };

/** A field of an event, the same on every way to it. */
async function fieldOf(name: string, id: string, caller: Caller, selected = ''): Promise<unknown> {
  const isPublic = caller === anybody;
  const path = isPublic ? '/public/events' : '/events';
  const own = `fields=${name}&where=${whereOf({ id })}`;
  const one = await send<Record<string, unknown>>(server, caller, `GET ${path}/${id}?fields=${name}`);
  const list = await send(server, caller, `GET ${path}?${own}`);
  expect(list.body.items).toEqual([one.body]);
  if (caller === manager) {
    const exported = await send(server, caller, `GET /events/export?format=ndjson&${own}`);
    expect(JSON.parse(exported.text)).toEqual(one.body);
  }
  const [type, field] = isPublic ? ['PublicEvent', 'publicEvent'] : ['Event', 'event'];
  const selection = `{ ${name}: ${camelCase(name)} ${selected} }`;
  const answer = await graphql(
    server,
    caller,
    `query ($id: ID!, $node: ID!) {
      one: ${field}(id: $id) ${selection} list: ${field}s(where: {id: {eq: $id}}) { nodes ${selection} }
      node(id: $node) { ... on ${type} ${selection} }
    }`,
    { id, node: globalId(type as string, id) },
  );
  const shown = { [name]: name === 'availability' ? String(one.body[name]).toUpperCase() : one.body[name] };
  expect(answer.data, answer.text).toEqual({ one: shown, list: { nodes: [shown] }, node: shown });
  return one.body[name];
}

describe('availability', () => {
  it.each([
    ['', over, 'open'],
    [' and full', { ...over, capacity: 0 }, 'waiting_list'],
  ])('of an event that is over%s is `closed` to all but managers', async (_, input, forManager) => {
    const id = await event(input);
    expect(await fieldOf('availability', id, member)).toBe('closed');
    expect(await fieldOf('availability', id, manager)).toBe(forManager);
  });

  it('of a full event without a waiting list is `full`, and of a draft `closed`', async () => {
    const id = await event({ capacity: 0 });
    await server.execute('update event set waiting_list = false where id = ?', [id]);
    expect(await fieldOf('availability', id, member)).toBe('full');
    expect(await fieldOf('availability', await event({ status: 0 }), manager)).toBe('closed');
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
    for (const caller of [member, manager, anybody]) expect(await fieldOf('places_left', id, caller)).toBe(left);
  });

  it('is never confirmed by an entity tag, nor kept by caches', async () => {
    const id = await event({ capacity: 3, visibility: 'public' });
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

it.each([
  ['public', 0, false],
  ['public', 1, true],
  ['public', 2, true],
  ['public', 3, false],
  ['organization', 1, false],
] as const)('url of an event with the visibility %s and the status %i', async (visibility, status, hasPage) => {
  const id = await event({ visibility, status });
  const url = await fieldOf('url', id, manager);
  if (hasPage) expect(await fieldOf('url', id, anybody)).toBe(url);
  else expect(url).toBeNull();
  if (url === null) return;
  const page = await fetch(String(url).replace('http://events.test', server.url));
  expect([page.status, (await page.text()).includes('An event')]).toEqual([200, true]);
});

it('waiting_position is the place on the list of its event, for whoever sees the subscription', async () => {
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
    const all = `fields=id+waiting_position&where=${whereOf({ event_id: id, status: 'waitlisted' })}`;
    const ofEvent = `fields=id+waiting_position&where=${whereOf({ status: 'waitlisted' })}`;
    const list = await send<{ items: object[] }>(server, manager, `GET /subscriptions?${all}`);
    for (const path of [`/events/${id}/subscriptions/export?${ofEvent}`, `/subscriptions/export?${all}`]) {
      const { text } = await send(server, manager, `GET ${path}&format=ndjson`);
      expect(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(list.body.items);
    }
    const document = `query ($id: ID!) { event(id: $id) { subscriptions(where: {status: {eq: WAITLISTED}}) {
      nodes { id: databaseId waiting_position: waitingPosition } } } }`;
    expect(await query(server, manager, document, { id })).toEqual({
      event: { subscriptions: { nodes: list.body.items } },
    });
    return list.body.items;
  };
  const positionOf = async (caller: Caller, subscription?: string) =>
    (await send(server, caller, `GET /events/${id}/subscriptions/${subscription}?fields=waiting_position`)).body;
  expect(await positions()).toEqual(ids.map((each, index) => ({ id: each, waiting_position: index + 1 })));
  expect(await positionOf(member, ids[1])).toEqual({ waiting_position: 2 });
  await send(server, manager, `PATCH /events/${id}`, { capacity: 1 });
  expect(await positions()).toEqual([
    { id: ids[1], waiting_position: 1 },
    { id: ids[2], waiting_position: 2 },
  ]);
  expect(await positionOf(manager, ids[0])).toEqual({ waiting_position: null });
});

it('subscription_counts are the numbers of each status and of check-ins, for managers alone', async () => {
  const statuses = subscriptionStatuses.flatMap((status, index) => Array<string>(index + 1).fill(status));
  const [id, empty] = [await event({ subscribed: statuses }), await event({})];
  const { id: userId } = await insertUser(server.orm, { password: null });
  await insertSubscription(server.orm, { eventId: id, userId, status: 'accepted', checkedInAt: new Date() });
  const none = { pending: 0, accepted: 0, waitlisted: 0, declined: 0, cancelled: 0, checked_in: 0 };
  const counted = { pending: 1, accepted: 3, waitlisted: 4, declined: 3, cancelled: 5, checked_in: 1 };
  const selected = '{ pending accepted waitlisted declined cancelled checked_in: checkedIn }';
  const countsFor = (person: Person, of: string) => fieldOf('subscription_counts', of, person, selected);
  for (const person of [manager, team.owner]) {
    expect([await countsFor(person, id), await countsFor(person, empty)]).toEqual([counted, none]);
  }
  expect(await countsFor(member, id)).toBeNull();
  const { body } = await send(
    server,
    manager,
    `GET /events?fields=id+subscription_counts&where=${whereOf({ id: { $in: [id, empty] } })}`,
  );
  expect(body.items).toEqual([
    { id, subscription_counts: counted },
    { id: empty, subscription_counts: none },
  ]);
});

describe('computed fields', () => {
  it('are in the answer of a mutation as they are after it, and so is what the viewer can do', async () => {
    const id = await event({ capacity: 0 });
    await send(server, manager, `POST /events/${id}/subscriptions`, {});
    const run = (caller: Caller, mutation: string) =>
      query(server, caller, `mutation ($id: ID!) { ${mutation} }`, { id });
    const computed = 'availability placesLeft url viewerCan { subscribe { code } }';
    const full = { availability: 'WAITING_LIST', placesLeft: 0, url: null };
    const after = { ...full, viewerCan: { subscribe: { code: 'ALREADY_SUBSCRIBED' } } };
    const subscribed = `eventSubscription { waitingPosition viewerCan { cancel { allowed } } event { ${computed} } }`;
    const eventSubscription = { waitingPosition: 2, viewerCan: { cancel: { allowed: true } }, event: after };
    expect(
      await run(member, `done: subscribeToEvent(input: {eventId: $id}) { event { ${computed} } ${subscribed} }`),
    ).toEqual({ done: { event: after, eventSubscription } });
    const fields = 'id: $id, capacity: 5, visibility: PUBLIC';
    const counted = 'availability placesLeft url subscriptionCounts { accepted }';
    const url = expect.stringContaining('/o/');
    expect(await run(manager, `done: updateEvent(input: {${fields}}) { event { ${counted} } }`)).toEqual({
      done: { event: { availability: 'OPEN', placesLeft: 3, url, subscriptionCounts: { accepted: 2 } } },
    });
  });

  it.each([
    'events?where={"availability":"open"}',
    'events?where={"subscription_counts":1}',
    'events?where={"places_left":1}',
    'events?where={"url":"x"}',
    'events?where={"viewer_can":"x"}',
    'subscriptions?where={"viewer_can":"x"}',
    'events/export?format=ndjson&fields=viewer_can',
    'subscriptions/export?format=ndjson&fields=viewer_can',
  ])('cannot be filtered, and what the viewer can do is not exported: %s', async (path) => {
    expectCode(await send(server, manager, `GET /${path}`), 400, 'INVALID_QUERY');
  });
});

import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PublicEventRow } from '../../src/domain/public/public-event.resource.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { doors, inDays, publicPlace } from '../support/public-world.ts';
import { rawRequest } from '../support/raw.ts';
import {
  type Caller,
  expectCode,
  expectRefusal,
  globalId,
  graphql,
  type Page,
  pointersOf,
  query,
  send,
} from '../support/send.ts';
import { join, serve } from '../support/server.ts';

// Public events, to anybody (reference/public-and-guests.md). Their walks and filters: lists.test.ts; slugs: former-slugs.test.ts.

const server = await serve();

type List = Page<PublicEventRow>;
const counting = '{ publicEvents { totalCount } }';

const fields = [
  ...['id', 'name', 'slug', 'description', 'status', 'date_start', 'date_end', 'timezone', 'location', 'registration'],
  ...['updated_at', 'availability'],
];

describe('public events', () => {
  it('are active or cancelled and public, by start, with these fields alone, on both faces', async () => {
    const { event, get, anybody } = await publicPlace(server);
    const later = await event({ dateStart: inDays(12), description: 'D' });
    const sooner = await event({ dateStart: inDays(8), status: 2 });
    await event({ status: 0 });
    await event({ status: 3 });
    await event({ visibility: 'organization' });
    const { status, body } = await get<List>('');
    expect([status, body.items.map(({ id }) => id)]).toEqual([200, [sooner.id, later.id]]);
    for (const item of body.items) expect(Object.keys(item)).toEqual(fields);
    const document = `{ publicEvents { totalCount nodes { id databaseId name slug description status dateStart dateEnd timezone
      location registration updatedAt availability form { version questions { key } } } } }`;
    const nodes = body.items.map(
      ({ id, date_start: dateStart, date_end: dateEnd, updated_at: updatedAt, ...item }) => ({
        ...{ ...item, id: globalId('PublicEvent', id), databaseId: id, dateStart, dateEnd, updatedAt },
        ...{ status: item.status === 1 ? 'ACTIVE' : 'CANCELLED', registration: 'OPEN' },
        ...{ availability: item.availability.toUpperCase(), form: { version: 0, questions: [] } },
      }),
    );
    expect(await query(server, anybody, document)).toEqual({ publicEvents: { totalCount: 2, nodes } });
  });

  it('are those of the organization that the header names, and of no other', async () => {
    const mine = await publicPlace(server);
    const other = await publicPlace(server);
    const { id } = await mine.event();
    expect((await mine.get<List>('')).body.items.map((each) => each.id)).toEqual([id]);
    expect((await other.get<List>('')).body.items).toEqual([]);
    expectCode(await other.get(`/${id}`), 404, 'NOT_FOUND');
    for (const [caller, status, code] of [
      [{}, 400, 'ORGANIZATION_REQUIRED'],
      [{ organizationId: 'x' }, 400, 'ORGANIZATION_REQUIRED'],
      [{ organizationId: randomUUIDv7() }, 403, 'ORGANIZATION_FORBIDDEN'],
    ] as const) {
      expectCode(await send(server, caller, 'GET /public/events'), status, code);
      expectRefusal(await graphql(server, caller, counting), status, code);
    }
    const doubled = ['x-organization-id', mine.organizationId, 'x-organization-id', mine.organizationId];
    const raw = await rawRequest(`${server.url}/public/events`, { headers: doubled });
    expect([raw.status, JSON.parse(raw.text).code]).toEqual([400, 'ORGANIZATION_REQUIRED']);
  });

  it('do not look at a token, unless GraphQL reads something else beside them', async () => {
    const { anybody, event, team, organizationId } = await publicPlace(server);
    const { id } = await event();
    await event({ visibility: 'organization' });
    const { team: strangers } = await publicPlace(server);
    const stale: Caller = { ...anybody, accessToken: 'nonsense' };
    for (const caller of [stale, team.owner, { ...strangers.owner, organizationId }]) {
      expect((await send<List>(server, caller, 'GET /public/events')).body.items).toMatchObject([{ id }]);
      expect((await graphql(server, caller, counting)).data).toEqual({ publicEvents: { totalCount: 1 } });
    }
    for (const other of ['viewer { id }', 'events { totalCount }', 'organization { id }']) {
      const mixed = `{ publicEvents { totalCount } ${other} }`;
      for (const caller of [anybody, stale]) {
        expectRefusal(await graphql(server, caller, mixed), 401, 'INVALID_TOKEN');
      }
    }
    expectRefusal(await graphql(server, stale, '{ __typename }'), 401, 'INVALID_TOKEN');
  });

  it('are filtered by what they show, and by nothing else', async () => {
    const { get } = await publicPlace(server);
    const refused = ['registration', 'availability', 'visibility', 'capacity', 'created_at', 'location'];
    for (const name of [...refused, 'organization_id', 'accepted_count', 'waiting_list', 'version']) {
      const answer = await get(`?where=${encodeURIComponent(JSON.stringify({ [name]: 'open' }))}`);
      expect([answer.status, pointersOf(answer)], name).toEqual([400, [`/where/${name}`]]);
    }
  });

  it('have the fields that are asked for, and no more can be asked for', async () => {
    const { event, get } = await publicPlace(server);
    const { id } = await event({ capacity: 3 });
    const shown = { name: 'An event', availability: 'open' };
    expect((await get<List>('?fields=availability+name')).body.items).toEqual([shown]);
    expect((await get(`/${id}?fields=availability+name`)).body).toEqual(shown);
    for (const name of ['capacity', 'accepted_count', 'visibility', 'waiting_list', 'version', 'created_at']) {
      for (const path of ['', `/${id}`]) {
        expect(pointersOf(await get(`${path}?fields=${name}`)), name).toEqual(['/fields']);
      }
    }
    expect(pointersOf(await get('?include=subscriptions'))).toEqual(['/include']);
  });

  it('are asked for by POST with the same checks', async () => {
    const { anybody } = await publicPlace(server);
    expectCode(await send(server, anybody, 'POST /public/events/query', { page: 2 }), 400, 'VALIDATION_ERROR');
    expectCode(await send(server, {}, 'POST /public/events/query', {}), 400, 'ORGANIZATION_REQUIRED');
  });
});

describe('a public event', () => {
  it('is found by its id and its slug, in GraphQL each by its own field', async () => {
    const { event, get, anybody } = await publicPlace(server);
    const { id, slug } = await event();
    const { body } = await get(`/${id}`);
    expect(Object.keys(body)).toEqual(fields);
    expect((await get(`/${slug}`)).body).toEqual(body);
    const { id: hidden } = await event({ visibility: 'organization' });
    const document = `query ($id: ID!, $global: ID!, $slug: String!, $hidden: ID!) {
      a: publicEvent(id: $id) { slug } b: publicEvent(id: $global) { slug } c: publicEventBySlug(slug: $slug) { slug }
      d: publicEvent(id: "${slug}") { slug } e: publicEventBySlug(slug: "x") { slug } f: publicEvent(id: $hidden) { slug } }`;
    expect(await query(server, anybody, document, { id, global: globalId('PublicEvent', id), slug, hidden })).toEqual({
      ...{ a: { slug }, b: { slug }, c: { slug }, d: null, e: null, f: null },
    });
  });

  it('is a node, for anybody', async () => {
    const { event, anybody, team } = await publicPlace(server);
    const { id } = await event();
    const gid = globalId('PublicEvent', id);
    const node = `{ node(id: "${gid}") { ... on PublicEvent { slug availability } } }`;
    for (const caller of [anybody, team.member]) {
      expect(await query(server, caller, node)).toEqual({ node: { slug: expect.any(String), availability: 'OPEN' } });
    }
    const hidden = await event({ status: 3 });
    const none = `{ node(id: "${globalId('PublicEvent', hidden.id)}") { id } }`;
    expect(await query(server, anybody, none)).toEqual({ node: null });
    const both = `{ nodes(ids: ["${gid}", "${globalId('Event', id)}"]) { id } }`;
    expectRefusal(await graphql(server, anybody, both), 401, 'INVALID_TOKEN');
    expect(await query(server, team.member, both)).toEqual({ nodes: [{ id: gid }, { id: globalId('Event', id) }] });
  });

  it('takes an id before a slug', async () => {
    const { event, get } = await publicPlace(server);
    const first = await event();
    const second = await event({ slug: first.id });
    expect((await get(`/${first.id}`)).body.id).toBe(first.id);
    const hidden = await event({ visibility: 'organization' });
    const third = await event({ slug: hidden.id });
    expect((await get(`/${hidden.id}`)).body.id).toBe(third.id);
    expect((await get(`/${second.id.toUpperCase()}`)).body.id).toBe(second.id);
  });

  it('gives the same response for hidden, unknown and malformed names', async () => {
    const { event, get } = await publicPlace(server);
    const names = await Promise.all(
      [{ status: 0 }, { status: 3 }, { visibility: 'organization' as const }].map((input) => event(input)),
    );
    const unknown = expectCode(await get(`/${randomUUIDv7()}`), 404, 'NOT_FOUND');
    for (const { id, slug } of names) {
      for (const name of [id, slug]) expect(expectCode(await get(`/${name}`), 404, 'NOT_FOUND')).toBe(unknown);
    }
    for (const name of ['%00', 'x'.repeat(3000), 'a%2Fb', '%ff', "'", '..%2f']) {
      expect(expectCode(await get(`/${name}`), 404, 'NOT_FOUND'), name).toBe(unknown);
    }
  });
});

it('GET /public/events/{event}/form is the current form, for whoever may see the event', async () => {
  const { event, get, team } = await publicPlace(server);
  const { id, slug } = await event();
  expect((await get(`/${slug}/form`)).body).toEqual({ version: 0, questions: [] });
  const questions = [{ key: 'a', type: 'text', label: 'A' }];
  await send(server, team.manager, `PUT /events/${id}/form`, { questions });
  expect((await get(`/${id}/form`)).body).toEqual({ version: 1, questions });
  // strangers see the current form alone
  expect((await get(`/${id}/form?version=0`)).body).toMatchObject({ code: 'INVALID_QUERY' });
  const hidden = await event({ visibility: 'organization' });
  expectCode(await get(`/${hidden.id}/form`), 404, 'NOT_FOUND');
});

it.each(doors)('availability of an event %s is what a subscription meets', async (_, input, availability) => {
  const { event, get, organizationId } = await publicPlace(server);
  const { id } = await event(input);
  expect((await get(`/${id}`)).body.availability).toBe(availability);
  expect((await get<List>('?fields=availability')).body.items).toEqual([{ availability }]);
  const shown = await graphql(server, { organizationId }, '{ publicEvents { nodes { availability } } }');
  expect(shown.data).toEqual({ publicEvents: { nodes: [{ availability: availability.toUpperCase() }] } });
  const person = await join(server, organizationId, 'member');
  expect((await send(server, person, `GET /events/${id}?fields=availability`)).body).toEqual({ availability });
  const answer = await send<SubscriptionRow & { code?: string }>(server, person, `POST /events/${id}/subscriptions`);
  const outcomes: Record<string, string> = {
    ...{ open: 'accepted', approval: 'pending', waiting_list: 'waitlisted', full: 'EVENT_FULL' },
    closed: 'REGISTRATION_CLOSED',
  };
  // a place beside somebody who waits is given to that one by the same write
  expect(answer.body.code ?? answer.body.status).toBe(outcomes[availability]);
});

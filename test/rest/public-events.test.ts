import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import type { PublicEventRow } from '../../src/domain/public/public-event.resource.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { rawRequest } from '../support/http.ts';
import { doors, inDays, publicPlace } from '../support/public-world.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { join } from '../support/team.ts';

const server = await shared(startTestServer());

interface List {
  items: PublicEventRow[];
  length: number;
  has_more: boolean;
  next: string | null;
  prev: string | null;
}

const fields = [
  'id',
  'name',
  'slug',
  'description',
  'status',
  'date_start',
  'date_end',
  'timezone',
  'location',
  'registration',
  'updated_at',
  'availability',
];

describe('GET /public/events', () => {
  it('lists active and cancelled events that are public, by start, and nothing else of them', async () => {
    const { event, get } = await publicPlace(server);
    const later = await event({ dateStart: inDays(12), description: 'D' });
    const sooner = await event({ dateStart: inDays(8), status: 2 });
    await event({ status: 0 });
    await event({ status: 3 });
    await event({ visibility: 'organization' });
    const { status, body } = await get<List>('');
    expect([status, body.items.map(({ id }) => id)]).toEqual([200, [sooner.id, later.id]]);
    expect(body).toMatchObject({ length: 2, has_more: false, next: null, prev: null });
    for (const item of body.items) expect(Object.keys(item)).toEqual(fields);
    expect((await get<List>('?sort=-1')).body.items.map(({ id }) => id)).toEqual([later.id, sooner.id]);
    expect((await get<number>('/count')).body).toBe(2);
    const counted = await get<number>('/count?max=1');
    expect([counted.body, counted.headers.get('x-count-exact')]).toEqual([1, 'false']);
  });

  it('is the list of the organization that the header names, and of no other', async () => {
    const mine = await publicPlace(server);
    const other = await publicPlace(server);
    const { id } = await mine.event();
    expect((await mine.get<List>('')).body.items.map((each) => each.id)).toEqual([id]);
    expect((await other.get<List>('')).body.items).toEqual([]);
    expectCode(await other.get(`/${id}`), 404, 'NOT_FOUND');
    expectCode(await send(server, {}, 'GET /public/events'), 400, 'ORGANIZATION_REQUIRED');
    expectCode(await send(server, { organizationId: 'x' }, 'GET /public/events'), 400, 'ORGANIZATION_REQUIRED');
    const unknown = { organizationId: randomUUIDv7() };
    expectCode(await send(server, unknown, 'GET /public/events'), 403, 'ORGANIZATION_FORBIDDEN');
    const doubled = ['x-organization-id', mine.organizationId, 'x-organization-id', mine.organizationId];
    const raw = await rawRequest(`${server.url}/public/events`, { headers: doubled });
    expect([raw.status, JSON.parse(raw.text).code]).toEqual([400, 'ORGANIZATION_REQUIRED']);
  });

  it('does not look at a token', async () => {
    const { anybody, event, team } = await publicPlace(server);
    await event({ visibility: 'organization' });
    const bad = await send<List>(server, { ...anybody, accessToken: 'nonsense' }, 'GET /public/events');
    expect([bad.status, bad.body.items]).toEqual([200, []]);
    const owner = await send<List>(server, team.owner, 'GET /public/events');
    expect([owner.status, owner.body.items]).toEqual([200, []]);
  });

  it('takes the filters of what it shows, and no others', async () => {
    const { event, get } = await publicPlace(server);
    const a = await event({ name: 'Jazz night', dateStart: inDays(5) });
    const b = await event({ name: 'Rock night', dateStart: inDays(6), status: 2 });
    const where = async (condition: object) =>
      (await get<List>(`?where=${encodeURIComponent(JSON.stringify(condition))}`)).body.items.map(({ id }) => id);
    expect(await where({ name: 'NIGHT' })).toEqual([a.id, b.id]);
    expect(await where({ name: 'jazz' })).toEqual([a.id]);
    expect(await where({ id: b.id })).toEqual([b.id]);
    expect(await where({ slug: { $in: [a.slug, 'x'] } })).toEqual([a.id]);
    expect(await where({ status: { $ne: 2 } })).toEqual([a.id]);
    expect(await where({ status: 0 })).toEqual([]);
    expect(await where({ date_start: { $gt: inDays(5).toISOString() } })).toEqual([b.id]);
    expect(await where({ updated_at: { $gt: inDays(1).toISOString() } })).toEqual([]);
    expect(await where({ updated_at: { $gt: inDays(-1).toISOString() } })).toEqual([a.id, b.id]);
    expect(await where({ $not: { date_end: { $lt: inDays(6).toISOString() } } })).toEqual([b.id]);
    const refused = ['registration', 'availability', 'visibility', 'capacity', 'created_at', 'location'];
    for (const name of [...refused, 'organization_id', 'accepted_count', 'waiting_list', 'version']) {
      const answer = await get(`?where=${encodeURIComponent(JSON.stringify({ [name]: 'open' }))}`);
      expect([answer.status, pointersOf(answer)], name).toEqual([400, [`/where/${name}`]]);
    }
  });

  it('gives the fields that are asked for, and no more can be asked for', async () => {
    const { event, get } = await publicPlace(server);
    await event({ capacity: 3 });
    const { body } = await get<List>('?fields=availability+name');
    expect(body.items).toEqual([{ name: 'An event', availability: 'open' }]);
    for (const name of ['capacity', 'accepted_count', 'visibility', 'waiting_list', 'version', 'created_at']) {
      expect(pointersOf(await get(`?fields=${name}`)), name).toEqual(['/fields']);
    }
    expect(pointersOf(await get('?include=subscriptions'))).toEqual(['/include']);
  });

  it('is walked by cursors of its own', async () => {
    const { event, get, team } = await publicPlace(server);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await event({ dateStart: inDays(1 + index) })).id);
    const seen: string[] = [];
    let token: string | null = '';
    let previous: string | null = null;
    while (token !== null) {
      const { body }: { body: List } = await get<List>(`?limit=2${token && `&token=${token}`}`);
      seen.push(...body.items.map(({ id }) => id));
      token = body.next;
      previous = body.prev ?? previous;
    }
    expect(seen).toEqual(ids);
    const back = await get<List>(`?limit=2&token=${previous}`);
    expect(back.body.items.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const { next } = (await get<List>('?limit=2')).body;
    const own = await send<List>(server, team.owner, 'GET /events?limit=2');
    expect(own.body.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expectCode(await get(`?limit=2&token=${own.body.next}`), 400, 'INVALID_CURSOR');
    expectCode(await send(server, team.owner, `GET /events?token=${next}`), 400, 'INVALID_CURSOR');
    const elsewhere = await publicPlace(server);
    expectCode(await elsewhere.get(`?token=${next}`), 400, 'INVALID_CURSOR');
    const filtered = encodeURIComponent(JSON.stringify({ status: 1 }));
    expectCode(await get(`?where=${filtered}&token=${next}`), 400, 'INVALID_CURSOR');
  });

  it('is asked by POST, too', async () => {
    const { event, anybody } = await publicPlace(server);
    const { id } = await event({ name: 'Jazz' });
    await event();
    const body = { where: { name: 'jazz' }, fields: 'id', limit: 5 };
    const answer = await send<List>(server, anybody, 'POST /public/events/query', body);
    expect([answer.status, answer.body.items]).toEqual([200, [{ id }]]);
    expectCode(await send(server, anybody, 'POST /public/events/query', { page: 2 }), 400, 'VALIDATION_ERROR');
    expectCode(await send(server, {}, 'POST /public/events/query', {}), 400, 'ORGANIZATION_REQUIRED');
  });
});

describe('GET /public/events/{event}', () => {
  it('finds an event by its id, its slug and a former slug', async () => {
    const { event, get, team } = await publicPlace(server);
    const { id, slug } = await event();
    const { body } = await get(`/${id}`);
    expect(Object.keys(body)).toEqual(fields);
    expect((await get(`/${slug}`)).body).toEqual(body);
    await send(server, team.manager, `PATCH /events/${id}`, { slug: 'newer' });
    expect((await get('/newer')).body.id).toBe(id);
    expect((await get(`/${slug}`)).body).toMatchObject({ id, slug: 'newer' });
    const another = await send<EventRow>(server, team.manager, 'POST /events', {
      ...{ name: 'Another', slug, visibility: 'public', status: 1 },
      ...{ date_start: inDays(1).toISOString(), date_end: inDays(2).toISOString() },
    });
    expect((await get(`/${slug}`)).body.id).toBe(another.body.id);
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

  it('takes fields', async () => {
    const { event, get } = await publicPlace(server);
    const { id } = await event();
    expect((await get(`/${id}?fields=slug+availability`)).body).toEqual({
      slug: expect.any(String),
      availability: 'open',
    });
    expect(pointersOf(await get(`/${id}?fields=capacity`))).toEqual(['/fields']);
  });
});

describe('GET /public/events/{event}/form', () => {
  it('is the current form, for whoever may see the event', async () => {
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
});

describe('availability', () => {
  it.each(doors)('of an event %s is what a subscription meets', async (_, input, availability) => {
    const { event, get, organizationId } = await publicPlace(server);
    const { id } = await event(input);
    expect((await get(`/${id}`)).body.availability).toBe(availability);
    expect((await get<List>('?fields=availability')).body.items).toEqual([{ availability }]);
    const person = await join(server, organizationId, 'member');
    const answer = await send<SubscriptionRow & { code?: string }>(server, person, `POST /events/${id}/subscriptions`);
    const outcomes: Record<string, string> = {
      open: 'accepted',
      approval: 'pending',
      waiting_list: 'waitlisted',
      full: 'EVENT_FULL',
      closed: 'REGISTRATION_CLOSED',
    };
    // a place beside somebody who waits is given to that one by the same write
    expect(answer.body.code ?? answer.body.status).toBe(outcomes[availability]);
  });
});

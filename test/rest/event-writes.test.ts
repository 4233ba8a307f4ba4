import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { eventTransitions } from '../../src/domain/event/event.state.ts';
import { insertSubscription } from '../support/fixtures.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { countStatements } from '../support/statements.ts';
import { createTeam } from '../support/team.ts';

const server = await shared(startTestServer());
const team = await createTeam(server);

const dates = { date_start: '2027-05-01T10:00:00Z', date_end: '2027-05-01T12:00:00.000Z' };

async function create(fields: Record<string, unknown> = {}): Promise<EventRow> {
  const made = await send<never>(server, team.manager, 'POST /events', { name: 'Open Day', ...dates, ...fields });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const patch = (id: string, fields: unknown) => send<never>(server, team.manager, `PATCH /events/${id}`, fields);

describe('POST /events', () => {
  it('creates a draft with the defaults, and answers it with its place and its version', async () => {
    const made = await send<EventRow>(server, team.manager, 'POST /events', { name: '  Tag der Öffnung ', ...dates });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/events/${made.body.id}`);
    expect(made.headers.get('etag')).toBe('"1"');
    expect(made.body).toMatchObject({
      name: 'Tag der Öffnung',
      slug: 'tag-der-offnung',
      description: null,
      status: 0,
      date_start: '2027-05-01T10:00:00.000Z',
      timezone: 'UTC',
      location: null,
      capacity: null,
      visibility: 'organization',
      registration: 'open',
      waiting_list: true,
      accepted_count: 0,
      version: 1,
    });
    const read = await send(server, team.manager, `GET /events/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    expect(read.headers.get('etag')).toBe('"1"');
  });

  it('reports every fault with its pointer, and writes nothing', async () => {
    const before = await send(server, team.manager, 'GET /events/count');
    const refused = await send(server, team.manager, 'POST /events', {
      name: ' ',
      slug: 'Not A Slug',
      description: 1,
      status: 2,
      date_start: '2027-02-30T10:00:00Z',
      timezone: '+02:00',
      location: '',
      capacity: -1,
      visibility: 'secret',
      registration: 'maybe',
      waiting_list: 'yes',
      notify: true,
    });
    expectCode(refused, 400, 'VALIDATION_ERROR');
    expect(pointersOf(refused).sort()).toEqual(
      [
        'capacity',
        'date_end',
        'date_start',
        'description',
        'location',
        'name',
        'notify',
        'registration',
        'slug',
        'status',
        'timezone',
        'visibility',
        'waiting_list',
      ].map((name) => `/${name}`),
    );
    expect((await send(server, team.manager, 'GET /events/count')).body).toEqual(before.body);
  });

  it.each([
    ['an end before the start', { date_end: '2027-05-01T09:00:00Z' }, '/date_end'],
    ['a year out of range', { date_start: '1899-12-31T23:59:59Z' }, '/date_start'],
    ['a control character in the name', { name: 'a\u0007b' }, '/name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, '/name'],
    ['a location of 501 characters', { location: 'x'.repeat(501) }, '/location'],
    ['a description of 20,001 characters', { description: 'x'.repeat(20_001) }, '/description'],
    ['too many places', { capacity: 1_000_001 }, '/capacity'],
    ['half a place', { capacity: 1.5 }, '/capacity'],
    ['a reserved slug', { slug: 'export' }, '/slug'],
    ['a slug that is an id', { slug: '019b7739-16c4-713d-922e-37c3d4317409' }, '/slug'],
    ['a slug of 81 characters', { slug: 'x'.repeat(81) }, '/slug'],
    ['a zone that is none', { timezone: 'Mars/Olympus' }, '/timezone'],
    ['null where there is none', { timezone: null }, '/timezone'],
  ])('refuses %s', async (_title, fields, pointer) => {
    const refused = await send(server, team.manager, 'POST /events', { name: 'x', ...dates, ...fields });
    expectCode(refused, 400, 'VALIDATION_ERROR');
    expect(pointersOf(refused)).toEqual([pointer]);
  });

  it('spells a zone as the zone data do, and keeps second names', async () => {
    expect(await create({ timezone: 'asia/calcutta' })).toMatchObject({ timezone: 'Asia/Calcutta' });
    expect(await create({ timezone: 'europe/KYIV' })).toMatchObject({ timezone: 'Europe/Kyiv' });
  });

  it('numbers a slug that is taken or was, and refuses one that is given twice', async () => {
    const [first, second] = [await create({ name: 'Lange Nacht' }), await create({ name: 'Lange Nacht' })];
    expect([first.slug, second.slug]).toEqual(['lange-nacht', 'lange-nacht-2']);
    await patch(second.id, { slug: 'moved' });
    expect((await create({ name: 'Lange Nacht' })).slug).toBe('lange-nacht-3');
    const refused = await send(server, team.manager, 'POST /events', { name: 'x', ...dates, slug: 'lange-nacht' });
    expectCode(refused, 409, 'CONFLICT');
    expect(pointersOf(refused)).toEqual(['/slug']);
    expect((await create({ slug: 'lange-nacht-2' })).slug).toBe('lange-nacht-2');
    expect((await create({ name: '東京' })).slug).toBe('event');
  });

  it('is not for members, with any body', async () => {
    expectCode(await send(server, team.member, 'POST /events', { nonsense: 1 }), 403, 'FORBIDDEN');
  });

  it('reads the slugs that it could give, and not all that begin alike', async () => {
    await server.execute(`insert into event (id, organization_id, name, slug, status, date_start, date_end, visibility, registration)
        select gen_random_uuid(), '${team.organizationId}', 'Serie', 'serie-' || i, 0, now(), now(), 'organization', 'open'
        from generate_series(1000, 6000) i`);
    const { result, statements } = await countStatements(server.orm, async () => [
      (await create({ name: 'Serie' })).slug,
      (await create({ name: 'Serie' })).slug,
    ]);
    expect(result).toEqual(['serie', 'serie-2']);
    expect(statements.filter((text) => / like /i.test(text))).toEqual([]);
  });

  it('makes slugs for parallel requests that never meet', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => create({ name: 'Parallel' })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(12);
  });
});

describe('PATCH /events/{event}', () => {
  it('changes the given fields, increments the version, and lists the fields in the audit trail', async () => {
    const event = await create();
    const changed = await patch(event.id, { name: 'Closed Day', location: 'Hall', capacity: 5 });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).toBe('"2"');
    expect(changed.body).toMatchObject({
      name: 'Closed Day',
      location: 'Hall',
      capacity: 5,
      version: 2,
      slug: event.slug,
    });
    const cleared = await patch(event.id, { location: null, capacity: null });
    expect(cleared.body).toMatchObject({ location: null, capacity: null, version: 3 });
    const trail = await send<{ items: { action: string; detail: object }[] }>(
      server,
      team.owner,
      'GET /audit?where={"action":"event.changed"}&sort=-1&limit=2',
    );
    expect(trail.body.items.map(({ detail }) => detail)).toMatchObject([
      { event: event.id, fields: ['location', 'capacity'] },
      { event: event.id, fields: ['name', 'location', 'capacity'] },
    ]);
  });

  it('leaves everything as it is if nothing differs', async () => {
    const event = await create();
    for (const fields of [{}, { name: event.name, slug: event.slug, status: 0, notify: false }]) {
      const same = await patch(event.id, fields);
      expect(same.body).toEqual(event);
      expect(same.headers.get('etag')).toBe('"1"');
    }
  });

  it('reports the date that contradicts the stored one, together with all other errors', async () => {
    const event = await create();
    expect(pointersOf(await patch(event.id, { date_start: '2027-05-01T12:00:00.001Z' }))).toEqual(['/date_start']);
    expect(pointersOf(await patch(event.id, { date_end: '2027-05-01T09:59:59Z' }))).toEqual(['/date_end']);
    const both = await patch(event.id, { date_end: '2027-05-01T09:59:59Z', slug: 'No!', capacity: -1, status: 9 });
    expectCode(both, 400, 'VALIDATION_ERROR');
    expect(pointersOf(both).sort()).toEqual(['/capacity', '/date_end', '/slug', '/status']);
  });

  it('accepts the slug that the event already has, in any form', async () => {
    const event = await create();
    await server.execute('update event set slug = ? where id = ?', ['Älter Form', event.id]);
    expect((await patch(event.id, { slug: 'Älter Form' })).status).toBe(200);
    expectCode(await patch(event.id, { slug: 'Andere Form' }), 400, 'VALIDATION_ERROR');
  });

  it('changes nothing under an If-Match that does not hold, and lets one of two writers win', async () => {
    const event = await create();
    const guarded = (tag: string, name: string) =>
      fetch(`${server.url}/events/${event.id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${team.manager.accessToken}`,
          'x-organization-id': team.organizationId,
          'content-type': 'application/json',
          'if-match': tag,
        },
        body: JSON.stringify({ name }),
      });
    const malformed = ['w/"1"', 'W/ "1"', 'x"1"', '"1"x', '"7" "1"', '"1", x', '*, "1"', '"1'];
    for (const tag of ['"2"', 'W/"1"', '1', '""', ...malformed]) {
      expect([tag, (await guarded(tag, 'x')).status]).toEqual([tag, 412]);
    }
    const statuses = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => (await guarded('"1"', name)).status));
    expect(statuses.sort()).toEqual([200, 412, 412, 412]);
    for (const list of ['"7", "2"', ' ,"7,8" ,, "3",']) {
      expect([list, (await guarded(list, 'list')).status]).toEqual([list, 200]);
    }
    expect((await guarded('*', 'any')).status).toBe(200);
    // the version comes before what else the state refuses
    const refused = await fetch(`${server.url}/events/${event.id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${team.manager.accessToken}`,
        'x-organization-id': team.organizationId,
        'content-type': 'application/json',
        'if-match': '"1"',
      },
      body: JSON.stringify({ status: 2 }),
    });
    expect(refused.status).toBe(412);
  });

  const moves = Object.entries(eventTransitions).flatMap(([from, targets]) =>
    [0, 1, 2, 3]
      .filter((to) => to !== Number(from))
      .map((to): [number, number, boolean] => [Number(from), to, to in targets]),
  );
  it.each(moves)('moves an event from %i to %i: %s', async (from, to, allowed) => {
    const event = await create();
    await server.execute('update event set status = ? where id = ?', [from, event.id]);
    const moved = await patch(event.id, { status: to });
    if (allowed) expect(moved.body).toMatchObject({ status: to, version: 2 });
    else {
      expectCode(moved, 409, 'INVALID_TRANSITION');
      expect(pointersOf(moved)).toEqual(['/status']);
    }
  });

  it('makes no draft of an event that has a subscription, in any state', async () => {
    const event = await create({ status: 1 });
    await insertSubscription(server.orm, { eventId: event.id, userId: team.member.userId, status: 'cancelled' });
    expectCode(await patch(event.id, { status: 0 }), 409, 'INVALID_TRANSITION');
  });

  it('refuses a capacity below the number of accepted subscriptions', async () => {
    const event = await create({ status: 1 });
    await insertSubscription(server.orm, { eventId: event.id, userId: team.member.userId, status: 'accepted' });
    const refused = await patch(event.id, { capacity: 0 });
    expectCode(refused, 409, 'CONFLICT');
    expect(pointersOf(refused)).toEqual(['/capacity']);
    const other = await create();
    const both = await patch(event.id, { capacity: 0, slug: other.slug });
    expectCode(both, 409, 'CONFLICT');
    expect(pointersOf(both)).toEqual(['/slug', '/capacity']);
    expect((await patch(event.id, { capacity: 1 })).body).toMatchObject({ capacity: 1, accepted_count: 1 });
  });
});

describe('DELETE /events/{event}', () => {
  it('deletes a draft without subscriptions, and nothing else', async () => {
    const [draft, active] = [await create(), await create({ status: 1 })];
    expectCode(await send(server, team.manager, `DELETE /events/${active.id}`), 409, 'CONFLICT');
    expectCode(await send(server, team.member, `DELETE /events/${draft.id}`), 403, 'FORBIDDEN');
    expect((await send(server, team.manager, `DELETE /events/${draft.id}`)).body).toBe(true);
    expectCode(await send(server, team.manager, `DELETE /events/${draft.id}`), 404, 'NOT_FOUND');
    expectCode(await send(server, team.manager, 'DELETE /events/nonsense'), 404, 'NOT_FOUND');
  });
});

describe('POST /events/{event}/duplicate', () => {
  it('copies everything except given fields, as a draft with its own slug', async () => {
    const event = await create({ name: 'Original', status: 1, capacity: 9, location: 'Hall', waiting_list: false });
    const copy = await send<EventRow>(server, team.manager, `POST /events/${event.id}/duplicate`);
    expect(copy.status).toBe(201);
    expect(copy.headers.get('location')).toBe(`/events/${copy.body.id}`);
    const { id, slug, status, version, created_at, updated_at, ...rest } = copy.body;
    expect({ slug, status, version }).toEqual({ slug: 'original-2', status: 0, version: 1 });
    expect(event).toMatchObject(rest);
    const moved = await send<EventRow>(server, team.manager, `POST /events/${event.id}/duplicate`, {
      date_start: '2028-01-01T00:00:00Z',
      status: 1,
      name: 'Copy',
    });
    expect(moved.body).toMatchObject({
      name: 'Copy',
      slug: 'copy',
      status: 1,
      date_start: '2028-01-01T00:00:00.000Z',
      date_end: '2028-01-01T02:00:00.000Z',
    });
  });
});

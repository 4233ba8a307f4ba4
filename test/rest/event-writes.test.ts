import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
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
});

describe('PATCH /events/{event}', () => {
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
    const any = await guarded('*', 'any');
    expect([any.status, any.headers.get('etag')]).toEqual([200, '"4"']);
  });
});

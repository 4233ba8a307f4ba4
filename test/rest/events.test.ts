import { describe, expect, it } from 'vitest';
import { Event } from '../../src/domain/event/event.entity.ts';
import { eventColumns } from '../../src/domain/event/event.resource.ts';
import { serveParityData } from '../parity/data.ts';
import { restGet } from '../support/faces.ts';
import { insertEvent } from '../support/fixtures.ts';
import { orderedIds } from '../support/oracle.ts';
import { expectCode, send } from '../support/send.ts';
import { countReads } from '../support/statements.ts';

const data = await serveParityData();

const get = <Body = Record<string, unknown>>(path: string) => restGet<Body>(data.askers.manager, path);
const list = async (search: string) =>
  (await get<{ items: Record<string, unknown>[]; length: number }>(`/events?${search}`)).body;

describe('GET /events', () => {
  it('answers the headers and the envelope of every list, all fields of an event and nothing else', async () => {
    const { status, headers, body } = await get<Record<string, object[]>>('/events?limit=1');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'cache-control': expect.stringContaining('private'),
    });
    expect(headers.has('x-powered-by')).toBe(false);
    expect(Object.keys(body)).toEqual(['items', 'length', 'has_more', 'next', 'prev']);
    expect(body).toMatchObject({ length: 1, has_more: true, next: expect.any(String), prev: null });
    expect(Object.keys(body.items?.[0] ?? {})).toEqual(eventColumns);
    expect(body.items?.[0]).toMatchObject({
      date_start: '2026-06-01T10:00:00.000Z',
      accepted_count: expect.any(Number),
      description: null,
    });
  });

  it.each([
    ['', 50],
    ['limit=1', 1],
    ['limit=50', 50],
    ['limit=51', 50],
    ['limit=0', 50],
    ['limit=-3', 50],
    ['limit=', 50],
    ['limit=abc', 50],
    ['limit=1.5', 50],
    ['limit=1e1', 50],
    ['limit=%ff', 50],
    ['limit=99999999999999999999', 50],
    ['limit=%2B5', 50],
  ])('takes "%s" for a page of %i', async (search, length) => {
    expect((await list(search)).items).toHaveLength(length);
  });

  it('returns exactly the named fields', async () => {
    expect(Object.keys((await list('limit=1&fields=name%20status')).items[0] ?? {})).toEqual(['name', 'status']);
    expect(Object.keys((await list('limit=1&fields=status+name+name')).items[0] ?? {})).toEqual(['name', 'status']);
  });

  it('reads only the named columns, in one statement', async () => {
    await get('/events?limit=1');
    const { statements } = await countReads(data.server.orm, () => get('/events?limit=5&fields=name'));
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toContain('description');
  });

  it.each([
    ['sort=2', 'INVALID_QUERY', '/sort'],
    ['sort=', 'INVALID_QUERY', '/sort'],
    ['sort=asc', 'INVALID_QUERY', '/sort'],
    ['sort=1&sort=-1', 'INVALID_QUERY', '/sort'],
    ['where=', 'INVALID_QUERY', '/where'],
    ['where=%7B', 'INVALID_QUERY', '/where'],
    ['where=%FF', 'INVALID_QUERY', '/where'],
    ['where[status]=1', 'INVALID_QUERY', '/where'],
    ['where%5Bstatus%5D=1', 'INVALID_QUERY', '/where'],
    ['where[]=1', 'INVALID_QUERY', '/where'],
    ['where={"status":1}&where={"status":2}', 'INVALID_QUERY', '/where'],
    ['fields=nam', 'INVALID_QUERY', '/fields'],
    ['fields[]=id', 'INVALID_QUERY', '/fields'],
    ['fields=id&fields=name', 'INVALID_QUERY', '/fields'],
    ['fields=organization_id', 'INVALID_QUERY', '/fields'],
    ['fields=id,name', 'INVALID_QUERY', '/fields'],
    ['include=user', 'INVALID_QUERY', '/include'],
    ['limit=1&limit=2', 'INVALID_QUERY', '/limit'],
    ['limit[]=1', 'INVALID_QUERY', '/limit'],
    ['token=', 'INVALID_CURSOR', '/token'],
    ['token=abc', 'INVALID_CURSOR', '/token'],
    ['token=a&token=b', 'INVALID_QUERY', '/token'],
    ...['after', 'before', 'first', 'last', 'page', 'offset', 'cursor', 'skip'].map(
      (name) => [`${name}=1`, 'INVALID_QUERY', `/${name}`] as const,
    ),
  ] as [string, string, string][])('refuses %s', async (search, code, pointer) => {
    const answer = await get(`/events?${search}`);
    expectCode(answer, 400, code);
    expect(answer.body.errors).toMatchObject([{ pointer, code }]);
  });

  it.each([
    ['after', 'token'],
    ['first', 'limit'],
    ['page', 'token'],
  ])('says that %s was meant to be %s', async (name, meant) => {
    expect((await get(`/events?${name}=1`)).body.detail).toContain(`\`${meant}\``);
  });

  it.each([
    // events have no relations, so `include` is unknown
    [
      'where={"a":1,"status":"x"}&sort=5&fields=id what&include=x',
      ['/include', '/where/a', '/where/status', '/sort', '/fields'],
    ],
    ['where=&sort=7&fields=nope', ['/where', '/sort', '/fields']],
    ['where={&sort=7', ['/where', '/sort']],
    ['limit=1&limit=2&sort=7', ['/limit', '/sort']],
    ['page=1&sort[]=1&where={"a":1}', ['/page', '/sort', '/where/a']],
  ])('reports all issues at once, including parameters that cannot be parsed: %s', async (search, pointers) => {
    expectCode(await get(`/events?${search}`), 400, 'INVALID_QUERY', pointers);
  });
});

describe('POST /events/query', () => {
  const query = <Body = { items: { id: string }[] }>(body: unknown) =>
    send<Body>(data.server, data.askers.manager, 'POST /events/query', body);

  it('answers as the list does', async () => {
    const where = { $or: [{ status: 1 }, { name: 'jazz' }] };
    const body = { where, limit: 7, sort: -1, fields: 'id name' };
    const search = new URLSearchParams({ where: JSON.stringify(where), limit: '7', sort: '-1', fields: 'id name' });
    expect((await query(body)).body).toEqual(await list(String(search)));
    expect((await query({})).body).toEqual(await list(''));
  });

  it('takes limit and sort as the URL writes them, too', async () => {
    const { items } = (await query({ limit: '3', sort: '-1' })).body;
    expect(items.map((item) => item.id)).toEqual(orderedIds(data.events, {}, 'date_start', -1).slice(0, 3));
  });

  it('takes a filter that is too long for many URLs', async () => {
    const slugs = data.events.slice(0, 100).map((row) => `${row.slug}`);
    expect((await query({ where: { slug: { $in: slugs } }, limit: 50 })).body.items).toHaveLength(50);
  });

  it.each([
    [{ first: 1 }, 'VALIDATION_ERROR', '/first'],
    [{ where: {}, wher: {} }, 'VALIDATION_ERROR', '/wher'],
    [[], 'VALIDATION_ERROR', ''],
    ['x', 'VALIDATION_ERROR', ''],
    [null, 'VALIDATION_ERROR', ''],
    [{ where: '{"status":1}' }, 'INVALID_QUERY', '/where'],
    [{ where: null }, 'INVALID_QUERY', '/where'],
    [{ sort: 0 }, 'INVALID_QUERY', '/sort'],
    [{ sort: null }, 'INVALID_QUERY', '/sort'],
    [{ fields: ['id'] }, 'INVALID_QUERY', '/fields'],
    [{ token: 5 }, 'INVALID_CURSOR', '/token'],
    [{ token: '' }, 'INVALID_CURSOR', '/token'],
  ])('refuses %j', async (body, code, pointer) => {
    const answer = await query<Record<string, unknown>>(body);
    expectCode(answer, 400, code);
    expect(answer.body.errors).toMatchObject([{ pointer, code }]);
  });
});

describe('where.name', () => {
  it('loses no row between a filter and its complement, with any letters', async () => {
    const names = 'İstanbul istanbul ISTANBUL qq\u212aqq qqkqq qqKqq Straße ΣΊΣΥΦΟΣ ǅungla ﬁn'.split(' ');
    for (const name of names)
      await insertEvent(data.server.orm, { organizationId: data.askers.owner.organizationId, name });
    const count = async (where: object) => (await restGet<number>(data.askers.owner, '/events/count', { where })).body;
    const all = await count({});
    for (const name of [...names, 'İ', 'i', '\u212a', 'K', 'k', 'ist', 'qqk', 'İS', 'ß', 'σ', 'Σ', 'ǆ']) {
      expect([name, (await count({ name })) + (await count({ $not: { name } }))]).toEqual([name, all]);
    }
    const pairs = names.map((name, index) => [{ name }, { name: names[index - 1] ?? '_%' }]);
    for (const pair of pairs) {
      const absent = pair.map((each) => ({ $not: each }));
      expect(
        (await count({ $or: pair })) +
          (await count({ $and: [...absent, { status: 1 }] })) +
          (await count({ $and: [...absent, { $not: { status: 1 } }] })),
      ).toBe(all);
      expect((await count({ $and: pair })) + (await count({ $or: absent }))).toBe(all);
    }
    const found = await Promise.all(['istanbul', 'ISTANBUL', 'İstanbul', 'İst'].map((name) => count({ name })));
    expect(new Set(found)).toEqual(new Set([3]));
    expect(await Promise.all(['qqk', 'qqK', 'qqKqq'].map((name) => count({ name })))).toEqual([3, 3, 3]);
    await data.server.orm.em.fork().nativeDelete(Event, { name: { $in: names } });
  });
});

describe('GET /events/{event}', () => {
  it('answers one event, or the named fields of it', async () => {
    expect((await get(`/events/${data.eventId}`)).body).toMatchObject({ id: data.eventId, status: 1 });
    expect((await get(`/events/${data.eventId.toUpperCase()}?fields=id`)).body).toEqual({ id: data.eventId });
  });
});

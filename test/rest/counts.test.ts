import { describe, expect, it } from 'vitest';
import { serveParityData } from '../parity/data.ts';
import { restGet } from '../support/faces.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { createTeam } from '../support/server.ts';
import { countReads } from '../support/statements.ts';
import { pathOf, subscribing } from '../support/subscribing.ts';

const data = await serveParityData();
const get = (path: string, asker = data.askers.owner) => restGet<number>(asker, path);
// what a session may do is remembered from its first request on
await get('/events/count');
const subscriptions = `/events/${data.eventId}/subscriptions/count`;

async function count(path: string) {
  const { status, text: body, headers } = await get(path);
  expect([status, headers.get('content-type')], body).toEqual([200, 'application/json; charset=utf-8']);
  return { body, exact: headers.get('x-count-exact') };
}

it('a count is one statement: exact, which it does not say, or of at most one row beyond its max', async () => {
  for (const [path, total] of [
    ['/events/count', data.events.length],
    [subscriptions, data.subscriptions.length],
    ['/members/count', 3],
  ] as const) {
    const { result, statements } = await countReads(data.server.orm, () => count(path));
    expect(result).toEqual({ body: String(total), exact: null });
    expect(statements).toEqual([expect.stringContaining('select count(*)::int')]);
    expect(statements[0]).not.toContain('limit');
    const capped = await countReads(data.server.orm, () => count(`${path}?max=7`));
    expect(capped.statements).toEqual([expect.stringMatching(/ limit 8\) capped/)]);
  }
});

describe('a count with max', () => {
  it.each([
    ['0130', '130', 'true'],
    ['1000000', '130', 'true'],
  ])('of %s answers %s of 130 events, exact: %s', async (max, body, exact) => {
    expect(data.events).toHaveLength(130);
    expect(await count(`/events/count?max=${max}`)).toEqual({ body, exact });
  });
});

describe('an invalid max', () => {
  const bad = ['0', '-1', '1.5', '1.0', '1e3', '0x10', '%2B5', ' 5', '5%20', '1000001', '99999999999999999999', 'NaN'];

  it.each(['', 'x', 'null', 'true', '%ff', '%00', '1,2', '٣', ...bad])('like %j is refused', async (max) => {
    for (const path of ['/events/count', subscriptions, '/members/count'])
      expectCode(await get(`${path}?max=${max}`), 400, 'INVALID_QUERY', ['/max']);
  });

  it.each(['max=1&max=2', 'max=5&max=5', 'max[]=1', 'max[0]=1', 'max.a=1', 'max', 'max[$gt]=1'])(
    'like %s is refused',
    async (search) => expect(pointersOf(await get(`/events/count?${search}`))).toEqual(['/max']),
  );

  it('is reported with every issue of the filter, however that is broken', async () => {
    for (const [search, pointers] of [
      ['max=0&where={"x":1,"status":"y"}', ['/where/x', '/where/status', '/max']],
      ['max=0&where=', ['/where', '/max']],
      ['max=0&where={', ['/where', '/max']],
      ['where[status]=1&max[]=1', ['/where', '/max']],
      ['max=1&max=0&where={"x":1}&page=2', ['/max', '/page', '/where/x']],
      ['max=1&where={"x":1}', ['/where/x']],
    ] as const) {
      const answer = await get(`/events/count?${search}`);
      expectCode(answer, 400, 'INVALID_QUERY');
      expect([search, pointersOf(answer)]).toEqual([search, pointers]);
    }
  });
});

describe('the subscriptions of an event', () => {
  const path = `/events/${data.eventId}/subscriptions`;
  const read = <Body = never>(at: string) => restGet<Body>(data.askers.manager, at);
  const items = async (query: object, asker = data.askers.manager) =>
    (await restGet<{ items: Record<string, object>[] }>(asker, path, { limit: 1, ...query })).body.items;

  it('include the user, with the address only for managers, and the event as it reads by itself', async () => {
    const [item] = await items({ include: 'user', fields: 'id' });
    expect(Object.keys(item ?? {})).toEqual(['id', 'user']);
    expect(Object.keys(item?.user ?? {})).toEqual(['id', 'name', 'avatar_url', 'email']);
    const [own] = await items({ include: 'user' }, data.askers.member);
    expect(Object.keys(own?.user ?? {})).toEqual(['id', 'name', 'avatar_url']);
    const [related] = await items({ include: 'event' });
    expect(related?.event).toEqual((await read(`/events/${data.eventId}`)).body);
    const unknown = await read<{ detail: string }>(`${path}?include=usr`);
    expectCode(unknown, 400, 'INVALID_QUERY');
    expect(unknown.body.detail).toContain('`user`');
  });

  it('are found and moved only under their own event, and made with their path', async () => {
    const { id } = data.subscriptions[0] as { id: string };
    const user = expect.objectContaining({ name: expect.any(String) });
    expect((await read(`${path}/${id}?fields=id&include=user`)).body).toEqual({ id, user });
    const elsewhere = data.events.find((row) => row.id !== data.eventId && row.status === 1)?.id;
    expectCode(await read(`/events/${elsewhere}/subscriptions/${id}`), 404, 'NOT_FOUND');
    const team = await createTeam(data.server);
    const { event, subscribe, move, history } = subscribing(data.server, team);
    const [to, another] = [await event({ capacity: 2 }), await event()];
    const made = await subscribe(team.member, to);
    expect([made.status, made.headers.get('location')]).toEqual([201, pathOf(made.body)]);
    expect((await send(data.server, team.member, `GET ${pathOf(made.body)}`)).body).toEqual(made.body);
    expect(await history(made.body)).toEqual([['status', null, 'accepted', team.member.userId]]);
    const moved = await move(team.manager, { ...made.body, event_id: another.id }, { status: 'cancelled' });
    expectCode(moved, 404, 'NOT_FOUND');
  });
});

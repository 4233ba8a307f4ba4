import { describe, expect, it } from 'vitest';
import { restRoutes } from '../../src/rest/routes.ts';
import { insertEvent } from '../support/fixtures.ts';
import { type Answer, expectCode, send } from '../support/send.ts';
import { createTeam, serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();
const event = await insertEvent(server.orm, { organizationId: team.organizationId });

const routes = restRoutes({ publicUrl: server.url, trustsOrigin: () => false, cookieSecrets: () => [] });

interface Problem {
  errors: { pointer: string; detail: string }[];
}

/** The issues of a refused request: pointer and detail. */
async function issuesOf(request: string, body?: unknown, code = 'INVALID_QUERY'): Promise<[string, string][]> {
  const answer = (await send(server, team.owner, request, body)) as unknown as Answer<Problem>;
  expectCode(answer, 400, code);
  return answer.body.errors.map(({ pointer, detail }) => [pointer, detail]);
}

const detailOf = async (request: string) => (await issuesOf(request))[0]?.[1];

describe('an unknown query parameter', () => {
  it('is refused by every operation, before anything is done', async () => {
    const { owner } = await createTeam(server);
    const accepting: string[] = [];
    for (const { method, path, operationId } of routes) {
      const request = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, event.id)}?nonsense=1&_=2`;
      const answer = await send(server, owner, request, method === 'get' ? undefined : {});
      const { code, errors = [] } = answer.body as { code?: string; errors?: { pointer: string }[] };
      const pointers = errors.map(({ pointer }) => pointer).filter((pointer) => pointer !== '/format');
      if (code !== 'INVALID_QUERY' || pointers.join() !== '/nonsense,/_')
        accepting.push(`${operationId} ${answer.text}`);
    }
    expect(accepting).toEqual([]);
    expect((await send(server, owner, 'GET /events/count')).body).toBe(0);
  });

  it('is named with the nearest known one, all at once and with what else is wrong', async () => {
    expect(await issuesOf('GET /events?lmit=2&sort=5&feilds=id&sorted[]=1')).toEqual([
      ['/lmit', 'Unknown parameter; did you mean `limit`?'],
      ['/feilds', 'Unknown parameter; did you mean `fields`?'],
      ['/sorted', 'Unknown parameter; did you mean `sort`?'],
      ['/sort', '`sort` is 1 (ascending) or -1.'],
    ]);
    expect(await detailOf(`GET /events/${event.id}?filds=id`)).toBe('Unknown parameter; did you mean `fields`?');
    expect(await detailOf('GET /changes?sinse=now')).toBe('Unknown parameter; did you mean `since`?');
    expect(await detailOf('GET /events/export?format=csv&gaurd=on')).toBe('Unknown parameter; did you mean `guard`?');
    expect(await detailOf('GET /events?%7A%ZZ=1')).toContain('percent-encoded');
  });

  it('is named once, whatever its name', async () => {
    const issues = await issuesOf('GET /events?x=1&x=2&__proto__=1&constructor=2');
    expect(issues.map(([pointer]) => pointer)).toEqual(['/x', '/__proto__', '/constructor']);
    expect((await send(server, team.owner, 'GET /events?&limit=1&')).status).toBe(200);
    expect((await send(server, team.owner, 'GET /events?')).status).toBe(200);
  });

  it('is shown as a filter if it is the name of a field of the list', async () => {
    for (const [request, hint] of [
      ['GET /events?status=1', 'write `where={"status":1}`.'],
      ['GET /events?statuss=1', 'write `where={"status":1}`.'],
      ['GET /events?Where=1', 'did you mean `where`?'],
      ['GET /events/count?name=club', 'write `where={"name":"club"}`.'],
      ['GET /events?waiting_list=true', 'write `where={"waiting_list":true}`.'],
      ['GET /events/export?format=csv&visibility=public', 'write `where={"visibility":"public"}`.'],
      // a column that lists cannot be filtered by
      ['GET /events?location=1', 'did you mean `limit`?'],
    ] as const)
      expect(await detailOf(request)).toBe(`Unknown parameter; ${hint}`);
  });

  it('is refused in the URL of `POST …/query`, and in its body', async () => {
    expect(await issuesOf('POST /events/query?limit=1&x=1', {})).toEqual([
      ['/limit', 'This operation takes no parameters in its URL.'],
      ['/x', 'This operation takes no parameters in its URL.'],
    ]);
    expect(await issuesOf('POST /events/query', { status: 1, lmit: 2 }, 'VALIDATION_ERROR')).toEqual([
      ['/status', 'Unknown parameter; write `"where":{"status":1}`.'],
      ['/lmit', 'Unknown parameter; did you mean `limit`?'],
    ]);
    expect(await issuesOf('POST /events/query', { status: { $in: [1, 2] } }, 'VALIDATION_ERROR')).toEqual([
      ['/status', 'Unknown parameter; write `"where":{"status":{"$in":[1,2]}}`.'],
    ]);
    expect(await issuesOf('POST /changes/query', { sinse: 'now' }, 'VALIDATION_ERROR')).toEqual([
      ['/sinse', 'Unknown parameter; did you mean `since`?'],
    ]);
  });
});

describe('a known parameter', () => {
  it('of the list is taken by its count', async () => {
    for (const search of ['limit=2', 'sort=-1', 'fields=id', 'include=x', 'token=x', 'from=x'])
      expect((await send(server, team.owner, `GET /events/count?${search}`)).body, search).toBe(1);
  });

  it.each(['HEAD', 'GET'])('is known to %s', async (method) => {
    for (const [search, status] of [
      ['limit=1', 200],
      ['lmit=1', 400],
    ] as const)
      expect((await send(server, team.owner, `${method} /events?${search}`)).status).toBe(status);
  });
});

it('pages for people and public calendars ignore parameters of tracking and caches', async () => {
  const { slug } = (await send<{ slug: string }>(server, team.owner, 'GET /organization')).body;
  for (const path of ['/', `/o/${slug}`, `/o/${slug}/events.ics`, '/errors', '/errors/NOT_FOUND'])
    expect((await send(server, {}, `GET ${path}?_=1&utm_source=mail`)).status, path).toBe(200);
});

describe('names separated by a comma', () => {
  it.each(['fields=id,name', 'fields=id,+name', 'fields=id%2Cname'])(
    'are refused with the right form: %s',
    async (search) => {
      expect(await issuesOf(`GET /events?${search}`)).toEqual([
        ['/fields', 'Separate the names by a space: `id name`.'],
      ]);
    },
  );

  it('are refused in `include` and `kinds`, too', async () => {
    const request = 'GET /subscriptions?include=user,event';
    expect(await detailOf(request)).toBe('Separate the names by a space: `user event`.');
    expect(await detailOf('GET /changes?kinds=event,form')).toBe('Separate the names by a space: `event form`.');
  });
});

it('an unknown field of a body is named with the nearest known one', async () => {
  expect(await issuesOf('POST /events', { naem: 'x', capacty: 1 }, 'VALIDATION_ERROR')).toEqual(
    expect.arrayContaining([
      ['/naem', 'Unknown field; did you mean `name`?'],
      ['/capacty', 'Unknown field; did you mean `capacity`?'],
    ]),
  );
  const question = { key: 'diet', type: 'text', label: 'Diet', requierd: true };
  expect(await issuesOf(`PUT /events/${event.id}/form`, { questions: [question] }, 'VALIDATION_ERROR')).toEqual([
    ['/questions/0/requierd', 'Unknown field; did you mean `required`?'],
  ]);
  expect(
    await issuesOf(`POST /events/${event.id}/subscriptions/${event.id}/check-in`, { x: 1 }, 'VALIDATION_ERROR'),
  ).toEqual([['/x', 'Unknown field.']]);
});

import { describe, expect, it } from 'vitest';
import { serveParityData } from '../parity/data.ts';
import { type Asker, headersOf } from '../support/faces.ts';
import { serveInTest } from '../support/server.ts';
import { expectProblem } from '../support/sign-in.ts';
import { countReads } from '../support/statements.ts';

const data = await serveParityData();
const get = (path: string, asker: Asker = data.askers.owner) =>
  fetch(`${data.server.url}${path}`, { headers: headersOf(asker) });
// what a session may do is remembered from its first request on
await get('/events/count');
const subscriptions = () => `/events/${data.eventId}/subscriptions/count`;

interface Counted {
  body: string;
  exact: string | null;
}

async function count(path: string, asker?: Asker): Promise<Counted> {
  const response = await get(path, asker);
  const body = await response.text();
  expect(response.status, body).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { body, exact: response.headers.get('x-count-exact') };
}

describe('a count without max', () => {
  it('is exact, says nothing of it, and has no limit in its one statement', async () => {
    for (const [path, total] of [
      ['/events/count', data.events.length],
      [subscriptions(), data.subscriptions.length],
      ['/members/count', 3],
    ] as const) {
      const { result, statements } = await countReads(data.server.orm, () => count(path));
      expect(result).toEqual({ body: String(total), exact: null });
      expect(statements).toHaveLength(1);
      expect(statements[0]).toContain('select count(*)::int');
      expect(statements[0]).not.toContain('limit');
    }
  });
});

describe('a count with max', () => {
  it.each([
    ['1', '1', 'false'],
    ['129', '129', 'false'],
    ['130', '130', 'true'],
    ['131', '130', 'true'],
    ['0130', '130', 'true'],
    ['1000000', '130', 'true'],
  ])('of %s answers %s of 130 events, exact: %s', async (max, body, exact) => {
    expect(data.events).toHaveLength(130);
    expect(await count(`/events/count?max=${max}`)).toEqual({ body, exact });
  });

  it('runs one statement, which counts at most one row beyond the cap', async () => {
    for (const path of ['/events/count', subscriptions(), '/audit/count']) {
      const { statements } = await countReads(data.server.orm, () => count(`${path}?max=7`));
      expect(statements).toHaveLength(1);
      expect(statements[0]).toMatch(/ limit 8\) capped/);
    }
  });

  it('lets pages of other origins read its own headers', async () => {
    const origin = 'https://app.example';
    const server = await serveInTest({ env: { CORS_ORIGINS: origin }, databaseUrl: data.server.databaseUrl });
    const { headers } = await fetch(`${server.url}/events/count?max=5`, { headers: { origin } });
    const readable = headers.get('access-control-expose-headers')?.split(',') ?? [];
    expect(readable).toEqual(expect.arrayContaining(['x-count-exact', 'etag', 'location', 'idempotency-replayed']));
  });
});

describe('an invalid max', () => {
  const bad = ['0', '-1', '1.5', '1.0', '1e3', '0x10', '%2B5', ' 5', '5%20', '1000001', '99999999999999999999', 'NaN'];

  it.each(['', 'x', 'null', 'true', '%ff', '%00', '1,2', '٣', ...bad])('like %j is refused', async (max) => {
    for (const path of ['/events/count', subscriptions(), '/members/count']) {
      const problem = await expectProblem(await get(`${path}?max=${max}`), 400, 'INVALID_QUERY');
      expect(problem).toMatchObject({ errors: [{ pointer: '/max', code: 'INVALID_QUERY' }] });
    }
  });

  it.each(['max=1&max=2', 'max=5&max=5', 'max[]=1', 'max[0]=1', 'max.a=1', 'max', 'max[$gt]=1'])(
    'like %s is refused',
    async (search) => {
      const problem = await expectProblem(await get(`/events/count?${search}`), 400, 'INVALID_QUERY');
      expect(problem).toMatchObject({ errors: [{ pointer: '/max' }] });
    },
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
      const problem = await expectProblem(await get(`/events/count?${search}`), 400, 'INVALID_QUERY');
      const { errors } = problem as unknown as { errors: { pointer: string }[] };
      expect([search, errors.map(({ pointer }) => pointer)]).toEqual([search, pointers]);
    }
  });

  it('is refused before the event is looked for, and after the access', async () => {
    await expectProblem(await get('/events/no-id/subscriptions/count?max=0'), 400, 'INVALID_QUERY');
    await expectProblem(await get('/events/no-id/subscriptions/count?max=5'), 404, 'NOT_FOUND');
    await expectProblem(await fetch(`${data.server.url}/events/count?max=0`), 401, 'INVALID_TOKEN');
    await expectProblem(await get('/audit/count?max=0', data.askers.member), 403, 'FORBIDDEN');
  });
});

import { describe, expect, it } from 'vitest';
import { answersOf, sendRaw } from '../support/raw.ts';
import { answerOf, expectCode, expectRefusal, readAnswer, send } from '../support/send.ts';
import { serveInTest, serveTeam } from '../support/server.ts';
import { withoutTable } from '../support/sql.ts';

const { server, team } = await serveTeam();

const unknown = '0199b5a0-7c3a-7000-8000-0123456789ab';
const get = (path: string) => send(server, team.owner, `GET ${path}`);
const json = { 'content-type': 'application/json' };
type Body = string | Buffer<ArrayBuffer>;
const post = (path: string, body: Body, headers: Record<string, string>) =>
  fetch(`${server.url}${path}`, { method: 'POST', body, headers });

async function expectBothRefuse(body: Body, headers: Record<string, string>, status: number, code: string) {
  expectCode(await answerOf(await post('/events/query', body, headers)), status, code);
  expectRefusal(await readAnswer(await post('/graphql', body, headers)), status, code);
}

describe('a problem', () => {
  it('has the members of RFC 9457 and our own, and the headers of every answer', async () => {
    const response = await get('/events?sort=x');
    expectCode(response, 400, 'INVALID_QUERY');
    expect(Object.keys(response.body)).toEqual(['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors']);
    expect(response.body.errors).toEqual([{ pointer: '/sort', code: 'INVALID_QUERY', detail: expect.any(String) }]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toContain('private');
    expect(response.headers.has('x-powered-by')).toBe(false);
  });

  it('masks what we did not expect, and logs it with the request id', async () => {
    const problem = await withoutTable(server, 'event', () => get('/events'));
    expectCode(problem, 500, 'INTERNAL_SERVER_ERROR');
    expect(Object.keys(problem.body)).toEqual(['type', 'title', 'status', 'code', 'request_id']);
    expect(problem.text).not.toMatch(/relation|select|\.ts|node_modules/);
    const id = problem.body.request_id as string;
    const logged = server.logLines.filter((line) => line.includes(id) && line.includes('relation'));
    expect(logged).toHaveLength(1);
  });
});

describe('the checks of a request', () => {
  it.each(['DELETE', 'PUT', 'PATCH', 'POST'])('refuse %s on a list before anything else', async (method) => {
    const response = await send(server, {}, `${method} /audit`);
    expectCode(response, 405, 'METHOD_NOT_ALLOWED');
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('name the methods of each path', async () => {
    const response = await get('/auth/login');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expectCode(response, 405, 'METHOD_NOT_ALLOWED');
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    const options = await send(server, {}, 'OPTIONS /events/query');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });

  it.each(['/', '/healthz', '/readyz', '/openapi.json', '/verify-email', '/reset-password', '/invitation'])(
    'refuse to write to %s',
    async (path) => {
      const response = await send(server, {}, `DELETE ${path}`);
      expectCode(response, 405, 'METHOD_NOT_ALLOWED');
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  it.each(['/nothing', '//', '/events/', '/Events', '/events/a/b/c', '/auth', '/auth/nothing'])(
    'know no %s',
    async (path) => {
      expectCode(await get(path), 404, 'NOT_FOUND');
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/graphql',
    'application/jsonp',
    'application/json; charset=latin1',
  ])('refuse %s, by both APIs', async (type) => {
    await expectBothRefuse('{}', { 'content-type': type }, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('refuse a compressed body, by both APIs', async () => {
    await expectBothRefuse('{}', { ...json, 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['{', '{"a":}', 'undefined', "{'a':1}", '[1,]', '\u0000', '{"query": "{ __typename }"} x'])(
    'refuse %j as JSON, before authentication, by both APIs',
    async (body) => {
      await expectBothRefuse(body, json, 400, 'INVALID_JSON');
    },
  );

  it('take an empty body for none, however it is sent', async () => {
    const stream = new ReadableStream({ start: (controller) => controller.close() });
    const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
    for (const response of [await fetch(`${server.url}/auth/refresh`, init), await post('/auth/refresh', '', json)])
      expectCode(await answerOf(response), 401, 'TOKEN_NOT_FOUND');
  });

  it('refuse JSON that is not UTF-8, by both APIs', async () => {
    await expectBothRefuse(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json, 400, 'INVALID_JSON');
  });

  it('refuse bad input before they look for the object', async () => {
    for (const path of [`${unknown}/subscriptions`, `${unknown}/subscriptions/${unknown}/changes`]) {
      expectCode(await get(`/events/${path}?sort=x`), 400, 'INVALID_QUERY');
      expectCode(await get(`/events/${path}?token=x`), 400, 'INVALID_CURSOR');
    }
    for (const path of [unknown, `${unknown}/subscriptions/${unknown}`])
      expectCode(await get(`/events/${path}?fields=what`), 400, 'INVALID_QUERY');
  });
});

describe('a page of another origin', () => {
  it('may read if CORS_ORIGINS names it, and nowhere else', async () => {
    const open = await serveInTest({ env: { CORS_ORIGINS: 'https://app.example' } });
    const ask = async (url: string, origin: string) =>
      (await fetch(`${url}/events`, { headers: { origin } })).headers.get('access-control-allow-origin');
    expect(await ask(open.url, 'https://app.example')).toBe('https://app.example');
    expect(await ask(open.url, 'https://evil.example')).toBeNull();
    expect(await ask(server.url, 'https://app.example')).toBeNull();
    // also without an origin: a cache may keep the response, and must not give it to a page
    for (const origin of ['https://app.example', 'https://evil.example', null]) {
      const response = await fetch(`${open.url}/events`, { headers: origin === null ? {} : { origin } });
      expect(response.headers.get('vary')?.toLowerCase().split(', ')).toContain('origin');
    }
  });

  it('may call from this machine, from any port, unless the service is exposed', async () => {
    const exposed = await serveInTest({ env: { PUBLIC_URL: 'https://events.example' } });
    const preflight = async (url: string, origin: string, path = '/events') => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const response = await fetch(url + path, { method: 'OPTIONS', headers });
      return {
        status: response.status,
        allowed: response.headers.get('access-control-allow-origin'),
        body: await response.text(),
      };
    };
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8000', 'https://localhost', 'http://[::1]:4000']) {
      expect(await preflight(server.url, origin)).toMatchObject({ status: 204, allowed: origin });
      expect(await preflight(exposed.url, origin)).toMatchObject({ status: 403, allowed: null });
      const headers = { origin, 'sec-fetch-site': 'cross-site' };
      const refresh = await send(server, {}, 'POST /auth/refresh', undefined, headers);
      expectCode(refresh, 401, 'TOKEN_NOT_FOUND');
    }
    for (const origin of ['http://localhost.evil.example', 'http://evil.example', 'null', 'file://localhost']) {
      const refused = await preflight(server.url, origin);
      expect(refused).toMatchObject({ status: 403, allowed: null });
      expect(JSON.parse(refused.body)).toMatchObject({
        code: 'CROSS_SITE',
        detail: expect.stringContaining('CORS_ORIGINS'),
      });
      const graphql = await preflight(server.url, origin, '/graphql');
      expect(JSON.parse(graphql.body)).toMatchObject({ errors: [{ extensions: { code: 'CROSS_SITE' } }] });
    }
    // what is no preflight is answered as ever
    const options = await send(server, {}, 'OPTIONS /events', undefined, { origin: 'http://evil.example' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, expect.stringContaining('GET')]);
  });

  it('may read why its message was refused, for any target', async () => {
    const open = await serveInTest({ env: { CORS_ORIGINS: 'https://app.example' } });
    const ask = async (method: string, path: string) => {
      const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\norigin: https://app.example\r\ntransfer-encoding: chunked`;
      const [answer] = answersOf(await sendRaw(open.url, `${head}\r\n\r\nzz\r\n`));
      return [answer?.status, answer?.headers['access-control-allow-origin']];
    };
    for (const path of ['/auth/login', '/nothing', '/graphql']) {
      expect(await ask('POST', path)).toEqual([400, 'https://app.example']);
      expect(await ask('OPTIONS', path)).toEqual([400, undefined]);
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, send } from '../support/send.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const ask = (accept: string) => fetch(server.url, { headers: { accept } });

describe('GET /', () => {
  it('is a page for a browser, whose links lead somewhere', async () => {
    const response = await ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('vary')).toMatch(/accept/i);
    const text = await response.text();
    const paths = [...text.matchAll(/href="(?!data:)([^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toEqual(expect.arrayContaining(['graphql', 'openapi.json', 'README.md']));
    for (const path of paths) {
      const target = await fetch(`${server.url}/${path}`, { headers: { accept: 'text/html' } });
      expect(target.status, path).toBe(200);
      await target.body?.cancel();
    }
  });

  it.each(['application/json', '*/*'])('is the same as links for `Accept: %s`', async (accept) => {
    const response = await ask(accept);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({
      name: 'Events Gateway',
      links: { graphql: 'http://events.test/graphql', openapi: 'http://events.test/openapi.json' },
    });
  });

  it('takes no other method', async () => {
    const answer = await send(server, {}, 'POST /', {});
    expectCode(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});

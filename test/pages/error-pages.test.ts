import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorStatus, errorTitle, type GraphqlErrorCode, graphqlOnlyTitle } from '../../src/kernel/errors.ts';
import { graphql } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const codes = [...Object.keys(errorStatus), ...Object.keys(graphqlOnlyTitle)] as GraphqlErrorCode[];
const get = (path: string) => fetch(server.url + path);
const plain = (page: string) => page.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

describe('the page of an error', () => {
  it.each(codes)('%s says when it comes and what to do, with an example of each face that has it', async (code) => {
    const response = await get(`/errors/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'none'");
    const page = plain(await response.text());
    expect(page.replaceAll(/<\/?code>/g, '`')).toContain({ ...errorTitle, ...graphqlOnlyTitle }[code]);
    for (const heading of ['When it occurs', 'What to do'])
      expect(page).toMatch(new RegExp(`<h2>${heading}</h2><p>.{10}`));
    const examples = [...page.matchAll(/<pre>(?:HTTP.*?\n\n)?(\{.*?)<\/pre>/gs)].map(([, json = '']) =>
      JSON.parse(json),
    );
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const { code: said, type, errors } = example.errors?.[0]?.extensions ?? example;
      expect([said, ...(errors ?? []).map((each: { code: string }) => each.code)]).toContain(code);
      expect(type).toBe(`http://events.test/errors/${said}`);
    }
  });

  it('is the only one: another code is a page with 404, and another method is refused', async () => {
    const response = await get('/errors/NO_SUCH_CODE');
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await get('/errors/toString')).status).toBe(404);
    expect((await fetch(`${server.url}/errors`, { method: 'POST' })).status).toBe(405);
  });

  it('is linked from the list of all', async () => {
    const page = await (await get('/errors')).text();
    expect([...page.matchAll(/href="errors\/([A-Z_]+)"/g)].map(([, code]) => code)).toEqual(codes);
  });
});

describe('the type of an error', () => {
  it('is the address of its page in REST, also for what no route sees', async () => {
    for (const [request, code] of [
      ['GET /events', 'INVALID_TOKEN'],
      ['GET /nowhere', 'NOT_FOUND'],
      ['POST /auth/refresh', 'TOKEN_NOT_FOUND'],
    ] as const) {
      const answer = await send(server, {}, request);
      expectCode(answer, answer.status, code);
      expect(answer.body).toMatchObject({ type: `http://events.test/errors/${code}` });
    }
  });

  it('is the same in GraphQL, in `extensions`', async () => {
    for (const [document, code] of [
      ['{ viewer { name } }', 'INVALID_TOKEN'],
      ['{', 'GRAPHQL_PARSE_FAILED'],
      ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ] as const) {
      const { errors } = await graphql(server, {}, document);
      expect(errors?.[0]?.extensions).toMatchObject({ code, type: `http://events.test/errors/${code}` });
    }
  });
});

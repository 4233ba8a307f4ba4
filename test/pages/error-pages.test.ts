import { describe, expect, it } from 'vitest';
import { errorStatus, type GraphqlErrorCode, graphqlOnlyTitle } from '../../src/http/errors.ts';
import { errorTitle } from '../../src/kernel/errors.ts';
import { fetchPage, organizer } from '../support/organizer.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { serve } from '../support/server.ts';

const server = await serve();

const codes = [...Object.keys(errorStatus), ...Object.keys(graphqlOnlyTitle)] as GraphqlErrorCode[];
const get = (path: string) => fetchPage(server, path);
const plain = (page: string) => page.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
const examplesIn = (page: string) =>
  [...page.matchAll(/<pre>(?:HTTP.*?\n\n)?(\{.*?)<\/pre>/gs)].map(([, json = '']) => JSON.parse(json));

describe('the page of an error', () => {
  it.each(codes)('%s says when it comes and what to do, with an example of each face that has it', async (code) => {
    const response = await get(`/errors/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'none'");
    const page = plain(response.text);
    expect(page.replaceAll(/<\/?code>/g, '`')).toContain({ ...errorTitle, ...graphqlOnlyTitle }[code]);
    for (const heading of ['When it occurs', 'What to do'])
      expect(page).toMatch(new RegExp(`<h2>${heading}</h2><p>.{10}`));
    const examples = examplesIn(page);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const { code: said, type, errors } = example.errors?.[0]?.extensions ?? example;
      expect([said, ...(errors ?? []).map((each: { code: string }) => each.code)]).toContain(code);
      expect(type).toBe(`http://events.test/errors/${said}`);
    }
  });

  it('INVALID_CURSOR shows what a cursor of another list gets, in each', async () => {
    const { organizationId, event } = await organizer(server);
    for (let index = 0; index < 2; index += 1) await event();
    const caller = { organizationId };
    const first = await send<{ next: string }>(server, caller, 'GET /public/events?limit=1');
    const where = encodeURIComponent('{"name":"other"}');
    const path = `/public/events?limit=1&where=${where}&token=${first.body.next}`;
    const rest = await send(server, caller, `GET ${path}`);
    const query =
      'query ($after: String) { publicEvents(first: 1, after: $after) { nodes { id } pageInfo { endCursor } } }';
    const { data } = await graphql(server, caller, query);
    const other = query.replace('first: 1', 'first: 1, where: { name: { contains: "other" } }');
    const { pageInfo } = (data as unknown as { publicEvents: { pageInfo: { endCursor: string } } }).publicEvents;
    const refused = await graphql(server, caller, other, { after: pageInfo.endCursor });
    const page = plain((await get('/errors/INVALID_CURSOR')).text);
    const [inRest, inGraphql] = examplesIn(page);
    expect(inRest.errors).toEqual(rest.body.errors);
    expect(refused.errors?.[0]?.extensions.errors).toEqual(inGraphql.errors[0].extensions.errors);
    expect(inGraphql.errors[0].extensions.errors[0].pointer).toBe('/after');
  });

  it('is the only one: another code is a page with 404, and another method is refused', async () => {
    const response = await get('/errors/NO_SUCH_CODE');
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await get('/errors/toString')).status).toBe(404);
    expect((await fetch(`${server.url}/errors`, { method: 'POST' })).status).toBe(405);
  });

  it('is linked from the list of all', async () => {
    const { text } = await get('/errors');
    expect([...text.matchAll(/href="errors\/([A-Z_]+)"/g)].map(([, code]) => code)).toEqual(codes);
  });
});

it('the type of an error is the address of its page in REST, also for what no route sees, and in GraphQL', async () => {
  const addressOf = (code: string) => `http://events.test/errors/${code}`;
  for (const [request, code] of [
    ['GET /events', 'INVALID_TOKEN'],
    ['GET /nowhere', 'NOT_FOUND'],
    ['POST /auth/refresh', 'TOKEN_NOT_FOUND'],
  ] as const) {
    const answer = await send(server, {}, request);
    expectCode(answer, answer.status, code);
    expect(answer.body.type).toBe(addressOf(code));
  }
  for (const [document, code] of [
    ['{ viewer { name } }', 'INVALID_TOKEN'],
    ['{', 'GRAPHQL_PARSE_FAILED'],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ] as const) {
    const { errors } = await graphql(server, {}, document);
    expect(errors?.[0]?.extensions).toMatchObject({ code, type: addressOf(code) });
  }
});

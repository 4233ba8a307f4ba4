import { randomUUIDv7 } from 'node:crypto';
import { serverAudits } from 'graphql-http';
import { describe, expect, test } from 'vitest';
import { insertEvent } from '../support/fixtures.ts';
import { rawRequest } from '../support/raw.ts';
import { callerHeaders, expectRefusal, globalId, graphql, readAnswer } from '../support/send.ts';
import { createTeam, serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();
const eventId = (await insertEvent(server.orm, { organizationId: team.organizationId })).id;

describe('GET', () => {
  const get = (search: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/graphql?${new URLSearchParams(search)}`, { headers }).then(readAnswer);

  test('needs a header that a foreign page cannot send without asking', async () => {
    const search = { query: '{ __typename }' };
    expectRefusal(await get(search), 403, 'CROSS_SITE');
    expectRefusal(await get(search, { accept: 'text/plain' }), 403, 'CROSS_SITE');
    for (const name of ['x-graphql-yoga-csrf', 'apollo-require-preflight', 'x-organization-id']) {
      expect((await get(search, { [name]: '1' })).data).toEqual({ __typename: 'Query' });
    }
    const signedIn = await get({ query: '{ viewer { name } }' }, callerHeaders(team.manager));
    expect(signedIn.data).toEqual({ viewer: { name: 'A manager' } });
  });

  test('takes variables and the name of an operation', async () => {
    const query = 'query A { __typename } query B($id: ID!) { event(id: $id) { databaseId } }';
    const search = { query, operationName: 'B', variables: JSON.stringify({ id: eventId }) };
    expect((await get(search, callerHeaders(team.manager))).data).toEqual({ event: { databaseId: eventId } });
    expectRefusal(await get({ ...search, variables: '{' }, callerHeaders(team.manager)), 400, 'INVALID_JSON');
    expectRefusal(await get({ ...search, variables: '[]' }, callerHeaders(team.manager)), 400, 'VALIDATION_ERROR');
  });

  test('runs no mutation', async () => {
    const answer = await get({ query: 'mutation { x }' }, callerHeaders(team.manager));
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe('POST');
    expectRefusal(await get({}, callerHeaders(team.manager)), 400, 'VALIDATION_ERROR');
  });
});

describe('POST', () => {
  const url = `${server.url}/graphql`;
  const post = (type: string, body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': type, ...headers } }).then(readAnswer);
  const body = JSON.stringify({ query: '{ __typename }' });

  test('takes application/json with or without its charset', async () => {
    for (const type of ['application/json', 'application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"']) {
      expect((await post(type, body)).data).toEqual({ __typename: 'Query' });
    }
  });

  test('refuses an empty body', async () => {
    expectRefusal(await post('application/json', ''), 400, 'INVALID_JSON');
  });

  test.each([
    ['null', 'VALIDATION_ERROR', ''],
    ['1', 'VALIDATION_ERROR', ''],
    ['{}', 'VALIDATION_ERROR', '/query'],
    ['{"query": null}', 'VALIDATION_ERROR', '/query'],
    ['{"query": "{ __typename }", "variables": []}', 'VALIDATION_ERROR', '/variables'],
    ['{"query": "{ __typename }", "operationName": 1}', 'VALIDATION_ERROR', '/operationName'],
    ['{"query": "{ __typename }", "a/b": 1}', 'VALIDATION_ERROR', '/a~1b'],
    ['[{"query": "{ __typename }"}]', 'INVALID_QUERY', ''],
    ['[]', 'INVALID_QUERY', ''],
  ])('refuses %s', async (text, code, pointer) => {
    const error = expectRefusal(await post('application/json', text), 400, code);
    expect(error.extensions.errors?.[0]).toMatchObject({ pointer, code });
  });

  test('refuses a body over 100 KiB, and takes one of 100 KiB', async () => {
    const size = 100 * 1024;
    const pad = (length: number) => body.replace('"}', `${' '.repeat(length - body.length)}"}`);
    expect((await post('application/json', pad(size))).data).toEqual({ __typename: 'Query' });
    expectRefusal(await post('application/json', pad(size + 1)), 413, 'PAYLOAD_TOO_LARGE');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is not allowed', async (method) => {
    const answer = await readAnswer(
      await fetch(url, { method, body, headers: { 'content-type': 'application/json' } }),
    );
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe('GET, POST');
  });

  test.each(['constructor', '__proto__', 'toString', 'text/plain', 'a;q=x', ','])(
    'answers JSON to who accepts %s',
    async (accept) => {
      const answer = await post('application/json', body, { accept });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.data).toEqual({ __typename: 'Query' });
    },
  );

  test('names what the schema refuses', async () => {
    for (const document of ['{', '']) {
      expectRefusal(await graphql(server, {}, document), 200, 'GRAPHQL_PARSE_FAILED');
    }
    for (const document of [
      ...['{ bogus }', 'mutation { x }', 'subscription { x }', 'fragment F on Event { name }'],
      'query A { __typename } query B { __typename }',
    ]) {
      expectRefusal(await graphql(server, {}, document), 200, 'GRAPHQL_VALIDATION_FAILED');
    }
  });

  test('every answer says how it may be read and kept', async () => {
    const answers = [
      await graphql(server, team.manager, '{ events { totalCount } }'),
      await graphql(server, {}, '{ events { totalCount } }'),
      await post('text/plain', body),
    ];
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toContain('private');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('vary')).toContain('authorization');
      expect(headers.get('x-request-id')).toMatch(/./);
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });
});

const audits = serverAudits({
  url: () => `${server.url}/graphql`,
  // a GET by a script says that it is none by a foreign page (reference/graphql.md#get)
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...init.headers, 'x-graphql-yoga-csrf': '1' } }),
});

test('the audits of GraphQL over HTTP are all there', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('audit %s %s', async (_id, _name, audit) => {
  const result = await audit.fn();
  expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
});

const { manager: stranger } = await createTeam(server);

const accepts = 'application/json application/graphql-response+json */* text/event-stream multipart/mixed'.split(' ');
const needViewer = [
  '{ viewer { name } }',
  '{ organization { name } }',
  '{ events { totalCount } }',
  '{ event(id: "x") { name } }',
  '{ node(id: "x") { id } }',
  '{ nodes(ids: []) { id } }',
  '{ __typename ...F } fragment F on Query { ... { v: viewer { name } } }',
  'query A { viewer { name } } ',
];

describe('an operation that needs a viewer', () => {
  test.each(needViewer)('%s answers 401 without a token, whatever is accepted', async (document) => {
    for (const accept of accepts) {
      const answer = await graphql(server, {}, document, undefined, { accept });
      expectRefusal(answer, 401, 'INVALID_TOKEN');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/);
    }
  });

  test('is refused before its input is looked at', async () => {
    const invalid = '{ events(first: "x", bogus: 1) { bogus } }';
    expectRefusal(await graphql(server, {}, invalid), 401, 'INVALID_TOKEN');
    const { accessToken } = team.manager;
    expectRefusal(await graphql(server, { accessToken }, invalid), 400, 'ORGANIZATION_REQUIRED');
    expectRefusal(await graphql(server, team.manager, invalid), 200, 'GRAPHQL_VALIDATION_FAILED');
    const cursor = '{ events(after: "x") { totalCount } }';
    expectRefusal(await graphql(server, { accessToken }, cursor), 400, 'ORGANIZATION_REQUIRED');
  });

  test('is not one if the field is skipped', async () => {
    const document =
      'query ($no: Boolean = false, $yes: Boolean!) { __typename viewer @include(if: $no) { name } event(id: "x") @skip(if: $yes) { name } }';
    expect((await graphql(server, {}, document, { yes: true })).data).toEqual({ __typename: 'Query' });
    expectRefusal(await graphql(server, {}, document, { yes: true, no: true }), 401, 'INVALID_TOKEN');
  });
});

test('a token that is sent must be valid, even if it is not needed', async () => {
  for (const document of ['{ __typename }', '{ viewer { name } }', '{', '{ bogus }']) {
    for (const authorization of ['Bearer x', 'Basic eDp5', 'x', team.manager.accessToken]) {
      const answer = await graphql(server, {}, document, undefined, { authorization });
      expectRefusal(answer, 401, 'INVALID_TOKEN');
    }
  }
  const twice = ['authorization', `Bearer ${team.manager.accessToken}`];
  const headers = ['content-type', 'application/json', ...twice, ...twice];
  const body = JSON.stringify({ query: '{ __typename }' });
  expect((await rawRequest(`${server.url}/graphql`, { method: 'POST', headers, body })).status).toBe(401);
});

describe('x-organization-id', () => {
  const organizational = ['{ organization { name } }', '{ events { totalCount } }', '{ event(id: "x") { name } }'];

  test.each(organizational)('%s needs it: 400 without, 403 for what is unknown or foreign', async (document) => {
    const { accessToken } = team.manager;
    for (const accept of accepts) {
      const ask = (scope: { organizationId?: string }) =>
        graphql(server, { accessToken, ...scope }, document, undefined, { accept });
      expectRefusal(await ask({}), 400, 'ORGANIZATION_REQUIRED');
      const refused = await ask({ organizationId: randomUUIDv7() });
      expectRefusal(refused, 403, 'ORGANIZATION_FORBIDDEN');
      const same = await ask({ organizationId: stranger.organizationId });
      const id = /"request_id":"[^"]*"/;
      expect(same.text.replace(id, '')).toBe(refused.text.replace(id, ''));
    }
    for (const organizationId of ['x', `${team.organizationId}, ${team.organizationId}`]) {
      expectRefusal(await graphql(server, { accessToken, organizationId }, document), 400, 'ORGANIZATION_REQUIRED');
    }
  });

  test('is needed by node for what belongs to an organization, and not for who one is', async () => {
    const { accessToken, userId } = team.manager;
    const node = 'query ($id: ID!) { node(id: $id) { id } }';
    const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    for (const [type, id] of [
      ['Event', eventId],
      ['EventSubscription', randomUUIDv7()],
      ['User', team.member.userId],
    ] as const) {
      const named = globalId(type, id);
      expectRefusal(await graphql(server, { accessToken }, node, { id: named }), 400, 'ORGANIZATION_REQUIRED');
      const several = { ids: [globalId('User', userId), named] };
      expectRefusal(await graphql(server, { accessToken }, nodes, several), 400, 'ORGANIZATION_REQUIRED');
    }
    const own = globalId('User', userId);
    expect((await graphql(server, { accessToken }, node, { id: own })).data).toEqual({ node: { id: own } });
    expect((await graphql(server, { accessToken }, node, { id: 'x' })).data).toEqual({ node: null });
    const literal = `{ node(id: "${globalId('Event', eventId)}") { id } }`;
    expectRefusal(await graphql(server, { accessToken }, literal), 400, 'ORGANIZATION_REQUIRED');
  });

  test('is not checked if nothing needs it', async () => {
    const { accessToken, userId } = team.manager;
    const answer = await graphql(server, { accessToken, organizationId: 'x' }, '{ viewer { databaseId } }');
    expect(answer.data).toEqual({ viewer: { databaseId: userId } });
  });
});

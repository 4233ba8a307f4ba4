import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { insertEvent } from '../support/fixtures.ts';
import { expectRefusal, globalId, graphql } from '../support/graphql.ts';
import { rawRequest } from '../support/http.ts';
import { createTeam, serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();
const { manager: stranger } = await createTeam(server);
const eventId = (await insertEvent(server.orm, { organizationId: team.organizationId })).id;

const accepts = [
  'application/json',
  'application/graphql-response+json',
  '*/*',
  'text/event-stream',
  'multipart/mixed',
];
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

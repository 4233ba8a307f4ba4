import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/engine/context.ts';
import { Exchange } from '../../src/http/exchange.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { createGraphqlEndpoint } from '../../src/schema/server/endpoint.ts';
import { callerHeaders, expectRefusal, graphql, readAnswer } from '../support/graphql.ts';
import { executedOnce } from '../support/lanes.ts';
import { serveTeam } from '../support/team.ts';

const logged: object[] = [];
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: (fields: object) => void logged.push(fields) };
beforeEach(() => void logged.splice(0));

interface Failing {
  /** Loads the viewer, which the operation selects. */
  load(): Promise<unknown>;
  toDomainError?(error: unknown): unknown;
}

/** Runs an operation with a loader of its own. */
async function run({ load, toDomainError = (each) => each }: Failing) {
  const incoming = new IncomingMessage(new Socket()) as Request;
  const response = new ServerResponse(incoming) as Response;
  const { promise: text, resolve, reject } = Promise.withResolvers<string>();
  Object.assign(response, { vary: () => response, end: resolve });
  Object.assign(incoming, {
    method: 'GET',
    path: '/graphql',
    originalUrl: `/graphql?${new URLSearchParams({ query: '{ me: viewer { name } }' })}`,
    headers: { 'apollo-require-preflight': 'true' },
  });
  new Exchange(incoming, response, { ip: null, log });
  const ctx = {
    viewer: { userId: 'u', sessionId: 's' },
    client: { requestId: 'request-1' },
    usage: new Usage(),
    loaders: { once: () => ({ load }), clear: () => undefined },
  } as unknown as Context;
  const endpoint = createGraphqlEndpoint({
    createContext: () => ctx,
    checkRequest: () => undefined,
    settings: { bounds: { documentCacheBytes: 1_000_000, database: { readTimeout: 5_000 } } },
    publicUrl: 'https://events.test',
    explorer: null,
    log,
    toDomainError,
  });
  // its loaders are none that another run could have made anew
  const answer = await executedOnce(() => {
    endpoint(incoming, response, reject);
    return text;
  });
  const { data, errors } = JSON.parse(answer) as ExecutionResult;
  expect(errors).toHaveLength(1);
  return { status: response.statusCode, headers: response.getHeaders(), data: data ?? null, error: errors?.[0] };
}

/** Runs an operation whose reads fail in this way. */
async function runFailing(failure: unknown) {
  const { data, error } = await run({ load: () => Promise.reject(failure) });
  expect(data).toBeNull();
  return error;
}

test('an unknown failure is masked, and logged with the id of the request', async () => {
  const secret = new Error('relation "secret" does not exist');
  const error = await runFailing(secret);
  expect(error).toMatchObject({
    message: 'Something went wrong on our side.',
    path: ['me'],
    extensions: { code: 'INTERNAL_SERVER_ERROR', request_id: 'request-1' },
  });
  expect(JSON.stringify(error)).not.toMatch(/secret|stack/);
  expect(logged).toEqual([{ requestId: 'request-1', err: secret }]);
});

test('a failure of the catalogue keeps its code and issues', async () => {
  const issues = [{ pointer: '/x', code: 'INVALID_QUERY' as const, detail: 'No.' }];
  const error = await runFailing(new DomainError('INVALID_QUERY', { detail: 'No.', issues }));
  const extensions = { code: 'INVALID_QUERY', request_id: 'request-1', errors: issues };
  expect(error).toMatchObject({ message: 'No.', path: ['me'], extensions });
  expect(logged).toEqual([]);
});

test('a database that is away is SERVICE_UNAVAILABLE for the whole query, and logged', async () => {
  const toDomainError = (cause: unknown) => new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2, cause });
  const load = () => Promise.reject(new Error('ECONNREFUSED'));
  const { status, headers, error } = await run({ load, toDomainError });
  expect({ status, headers }).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect(error).toMatchObject({ extensions: { code: 'SERVICE_UNAVAILABLE', retry_after: 2 } });
  expect(error).not.toHaveProperty('path');
  expect(logged).toHaveLength(1);
});

test('a failure with several causes is one error', async () => {
  const toDomainError = (cause: unknown) => new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2, cause });
  const causes = ['::1', '127.0.0.1'].map((address) => new Error(`ECONNREFUSED ${address}`));
  const { status } = await run({ load: () => Promise.reject(new AggregateError(causes)), toDomainError });
  expect(status).toBe(503);
});

test('what is thrown and is no error at all is masked', async () => {
  for (const thrown of ['secret', null, undefined, 1]) {
    expect(await runFailing(thrown)).toMatchObject({ extensions: { code: 'INTERNAL_SERVER_ERROR' } });
  }
});

test('an answer that the schema cannot show is masked', async () => {
  const { error } = await run({ load: () => Promise.resolve({ id: 'u', name: {} }) });
  expect(error?.extensions?.code).toBe('INTERNAL_SERVER_ERROR');
});

const { server, team } = await serveTeam();

test('every error of a document is reported, each with its place', async () => {
  const document = '{ events(where: {dateStart: {gt: "today"}}) { bogus nodes { a b } } }';
  const { errors } = await graphql(server, team.manager, document);
  expect(errors?.map((each) => each.extensions.code)).toEqual(Array(4).fill('GRAPHQL_VALIDATION_FAILED'));
  expect(errors?.every((each) => 'locations' in each)).toBe(true);
});

test('every issue of a filter is reported', async () => {
  const document = '{ events(where: {slug: {in: []}, name: {contains: ""}}) { totalCount } }';
  const error = expectRefusal(await graphql(server, team.manager, document), 200, 'INVALID_QUERY');
  expect(error.extensions.errors?.map((each) => each.pointer)).toEqual(['/where/name/contains', '/where/slug/in']);
});

test('fields that can be null do not take the others with them', async () => {
  const document = '{ viewer { name } event(id: "x") { subscriptions(first: -1) { totalCount } } }';
  const answer = await graphql(server, team.manager, document);
  expect(answer.data).toEqual({ viewer: { name: 'A manager' }, event: null });
});

test('every issue of the arguments of a list is reported', async () => {
  const filter = '(first: -1, where: {or: []})';
  const lists = [`events${filter} { totalCount }`, `viewer { sessions${filter} { totalCount } }`];
  for (const list of lists) {
    const document = `{ ${list} }`;
    const error = expectRefusal(await graphql(server, team.manager, document), 200, 'INVALID_QUERY');
    expect(error.extensions.errors?.map((each) => each.pointer)).toEqual(['/where/or', '/first']);
  }
  const both = await graphql(server, team.manager, '{ events(after: "x", before: "y") { totalCount } }');
  const pointers = expectRefusal(both, 200, 'INVALID_CURSOR').extensions.errors?.map((each) => each.pointer);
  expect(pointers).toEqual(['/after', '/before']);
});

test('every repeated parameter of a GET is reported', async () => {
  const url = `${server.url}/graphql?query=a&query=b&variables={}&variables={}`;
  const answer = await readAnswer(await fetch(url, { headers: { 'apollo-require-preflight': '1' } }));
  const error = expectRefusal(answer, 400, 'VALIDATION_ERROR');
  expect(error.extensions.errors?.map((each) => each.pointer)).toEqual(['/query', '/variables']);
});

describe('a refusal shows no value of the client', () => {
  const change = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { viewer { id } } }';
  const inline = (fields: string) => `mutation { changePassword(input: {${fields}}) { viewer { id } } }`;

  test.each<[string, string, object | undefined]>([
    ['an unknown field', change, { currentPassword: 'S3cret-a', password: 'S3cret-b', x: 1 }],
    ['an unknown field that is nearly known', change, { currentPassword: 'S3cret-a', passwort: 'S3cret-b' }],
    ['a missing field', change, { currentPassword: 'S3cret-a' }],
    ['a value of another kind', change, { currentPassword: ['S3cret-a'], password: 'S3cret-b' }],
    ['a string for all of it', change, 'S3cret' as unknown as object],
    ['an unknown field in the document', inline('currentPassword: "S3cret-a", password: "S3cret-b", x: 1'), undefined],
    ['a missing field in the document', inline('currentPassword: "S3cret-a"'), undefined],
    ['a value of another kind in the document', inline('currentPassword: {a: "S3cret-a"}, password: "b"'), undefined],
    ['a token in a wrong place', 'mutation { changePassword(input: "S3cret") { viewer { id } } }', undefined],
    ['a string where none can be', 'query "S3cret" { viewer { id } }', undefined],
    ['a block string where none can be', 'query """S3cret""" { viewer { id } }', undefined],
  ])('%s', async (_what, document, input) => {
    const answer = await graphql(server, team.manager, document, input && { input });
    expect(answer.errors?.length).toBeGreaterThan(0);
    expect(answer.text).not.toMatch(/S3cret/);
    for (const { message } of answer.errors ?? []) expect(message).toMatch(/[a-z]"?[.?]$/);
  });

  test('and still says what is wrong, and what was meant', async () => {
    const messages = async (input: object) =>
      (await graphql(server, team.manager, change, { input })).errors?.map(({ message }) => message);
    expect(await messages({ currentPassword: 'a', passwort: 'b' })).toEqual([
      'Variable "$input" has invalid value: Expected value of type "ChangePasswordInput" not to include unknown field "passwort". Did you mean "password"?',
    ]);
    expect(await messages({ currentPassword: 1, password: 'b' })).toEqual([
      'Variable "$input" has invalid value at .currentPassword: String cannot represent a non string value.',
    ]);
  });
});

test('variables of any depth are refused in our words', async () => {
  for (const levels of [30, 250, 9000]) {
    const filter = `${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`;
    const query = 'query ($where: EventWhere) { events(where: $where) { totalCount } }';
    const answer = await readAnswer(
      await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...callerHeaders(team.manager) },
        body: `{"query":${JSON.stringify(query)},"variables":{"where":${filter}}}`,
      }),
    );
    expect(expectRefusal(answer, 200, 'INVALID_QUERY').message).not.toMatch(/stack/);
  }
});

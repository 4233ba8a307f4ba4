import { getNamedType, isEnumType, isInputObjectType, isNonNullType } from 'graphql';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { Loaders } from '../../src/engine/context.ts';
import { errorStatus } from '../../src/http/errors.ts';
import { schema } from '../../src/schema/schema.ts';
import { executedOnce } from '../support/lanes.ts';
import { callerHeaders, expectRefusal, type GraphqlError, graphql, readAnswer } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { mutate } from '../support/write-faces.ts';

const { server, team } = await serveTeam();

let documents = 0;

const loggedOf = ({ extensions }: GraphqlError) =>
  server.logLines.filter((line) => line.includes('graphql request failed') && line.includes(extensions.request_id));

/** Asks for the viewer, who is loaded in this way. */
async function askWith(load: () => Promise<unknown>) {
  const loaders = vi.spyOn(Loaders.prototype, 'once').mockReturnValue({ load } as never);
  onTestFinished(() => loaders.mockRestore());
  documents += 1;
  // a document that was never sent, so that it is not compiled
  const document = `# ${documents}\n{ me: viewer { name } }`;
  const answer = await executedOnce(() => graphql(server, team.manager, document));
  const [error, ...others] = answer.errors ?? [];
  if (!error) throw new Error(answer.text);
  expect(others).toEqual([]);
  return { ...answer, error, logged: loggedOf(error) };
}

test('an unknown failure is masked, and logged with the id of the request', async () => {
  const { data, error, logged } = await askWith(() => Promise.reject(new Error('relation "secret" does not exist')));
  expect(data).toBeNull();
  expect(error).toMatchObject({
    message: 'Something went wrong on our side.',
    path: ['me'],
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
  expect(JSON.stringify(error)).not.toMatch(/secret|stack/);
  expect(logged).toEqual([expect.stringContaining('secret')]);
});

const code = 'ECONNREFUSED';
const refusedBy = (address: string) => Object.assign(new Error(address), { code });

test.each([
  ['', refusedBy('::1')],
  [
    ', though it has several causes',
    Object.assign(new AggregateError([refusedBy('::1'), refusedBy('127.0.0.1')]), { code }),
  ],
])('a database that is away is one SERVICE_UNAVAILABLE for the whole query, and logged%s', async (_, failure) => {
  const { status, headers, error, logged } = await askWith(() => Promise.reject(failure));
  expect(status).toBe(503);
  expect(error.extensions).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retry_after: Number(headers.get('retry-after')),
  });
  expect(error).not.toHaveProperty('path');
  expect(logged).toHaveLength(1);
});

test.each(['secret', null, undefined, 1])('%j, which is thrown and is no error at all, is masked', async (thrown) => {
  const { error } = await askWith(() => Promise.reject(thrown));
  expect(error.extensions.code).toBe('INTERNAL_SERVER_ERROR');
});

test('an answer that the schema cannot show is masked', async () => {
  const { error } = await askWith(() => Promise.resolve({ id: 'u', name: {} }));
  expect(error.extensions.code).toBe('INTERNAL_SERVER_ERROR');
});

test('every error of a document is reported, each with its place', async () => {
  const document = '{ events(where: {dateStart: {gt: "today"}}) { bogus nodes { a b } } }';
  const { errors } = await graphql(server, team.manager, document);
  expect(errors?.map((each) => each.extensions.code)).toEqual(Array(4).fill('GRAPHQL_VALIDATION_FAILED'));
  expect(errors?.every((each) => 'locations' in each)).toBe(true);
});

test('fields that can be null do not take the others with them', async () => {
  const document = '{ viewer { name } event(id: "x") { subscriptions(first: -1) { totalCount } } }';
  const answer = await graphql(server, team.manager, document);
  expect(answer.data).toEqual({ viewer: { name: 'A manager' }, event: null });
});

test.each([
  [
    'INVALID_QUERY',
    'events(where: {id: {eq: "x"}, status: {}, slug: {in: []}, name: {contains: ""}, and: [], or: [{}]})',
    ['/where/id/eq', '/where/name/contains', '/where/slug/in', '/where/status', '/where/and', '/where/or/0'],
  ],
  ['INVALID_QUERY', 'events(first: -1, where: {or: []})', ['/where/or', '/first']],
  ['INVALID_QUERY', 'viewer { sessions(first: -1, where: {or: []})', ['/where/or', '/first']],
  ['INVALID_CURSOR', 'events(after: "x", before: "y")', ['/after', '/before']],
])('every %s of the arguments of a list is reported: %s', async (code, list, pointers) => {
  const document = `{ ${list} { totalCount } }${list.startsWith('viewer') ? ' }' : ''}`;
  const error = expectRefusal(await graphql(server, team.manager, document), 200, code);
  expect(error.extensions.errors?.map((each) => each.pointer)).toEqual(pointers);
  expect(loggedOf(error)).toEqual([]);
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

// What a mutation requires and its variables lack (reference/graphql.md#errors).

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) => {
  const input = getNamedType(args[0]?.type);
  if (!isInputObjectType(input)) return [];
  const required = Object.values(input.getFields()).filter(({ type }) => isNonNullType(type));
  return required.length === 0 ? [] : [{ name, required: required.map((field) => field.name) }];
});

type Mutation = (typeof mutations)[number];
const mutationOf = (name: string) => mutations.find((each) => each.name === name) as Mutation;

const issuesOf = ({ name }: Mutation, value: Record<string, unknown>, by = team.owner) =>
  mutate(server, by, name, 'clientMutationId', value);

describe('absent fields in variables', () => {
  it.each(mutations)('of $name have pointers, like null', async (mutation) => {
    const nulls = Object.fromEntries(mutation.required.map((field) => [field, null]));
    for (const value of [{}, nulls]) {
      const { errors = [], status, text } = await issuesOf(mutation, value);
      const [error] = errors;
      expect([status, error?.extensions.code, error?.path], text).toEqual([200, 'VALIDATION_ERROR', [mutation.name]]);
      const issues = error?.extensions.errors ?? [];
      expect(issues.map(({ pointer }) => pointer)).toEqual(
        expect.arrayContaining(mutation.required.map((field) => `/${field}`)),
      );
      for (const issue of issues) expect(issue.code).toBe('VALIDATION_ERROR');
    }
  });

  it('are reported with every other issue, in the names of GraphQL', async () => {
    const answer = await issuesOf(mutationOf('createEvent'), { name: '', dateEnd: '2127-05-01T10:00:00Z' });
    expect(answer.errors?.[0]?.extensions.errors).toEqual([
      { pointer: '/name', code: 'VALIDATION_ERROR', detail: expect.any(String) },
      { pointer: '/dateStart', code: 'VALIDATION_ERROR', detail: 'This field is required.' },
    ]);
  });

  it('are checked after the role', async () => {
    const answer = await issuesOf(mutationOf('createEvent'), {}, team.member);
    expect(answer.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('of nested objects have their whole pointer', async () => {
    const questions = [{ type: 'CHOICE', options: [{ value: 'a' }] }];
    const answer = await issuesOf(mutationOf('setEventForm'), { questions });
    expect(answer.errors?.[0]?.extensions.errors?.map(({ pointer }) => pointer)).toEqual([
      '/questions/0/key',
      '/questions/0/label',
      '/questions/0/options/0/label',
      '/eventId',
    ]);
  });

  it('do not excuse a wrong type, an unknown field, or what the document itself leaves out', async () => {
    for (const value of [{ name: 1 }, { nothing: true }]) {
      expectRefusal(await issuesOf(mutationOf('createEvent'), value), 200, 'GRAPHQL_VALIDATION_FAILED');
    }
    for (const document of [
      'mutation { createEvent(input: { name: "A" }) { event { id } } }',
      'mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } } }',
    ])
      expectRefusal(await graphql(server, team.owner, document, {}), 200, 'GRAPHQL_VALIDATION_FAILED');
  });
});

it('ErrorCode has every code of the catalogue', () => {
  const type = schema.getType('ErrorCode');
  expect(isEnumType(type) && type.getValues().map(({ name }) => name)).toEqual(Object.keys(errorStatus));
});

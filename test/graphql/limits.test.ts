import { describe, expect, test } from 'vitest';
import { expectRefusal, graphql } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();

async function cost(document: string, variables?: Record<string, unknown>): Promise<number | string | undefined> {
  const { errors, extensions } = await graphql(server, team.manager, document, variables);
  return errors ? errors[0]?.extensions.code : extensions?.cost;
}

async function refuses(document: string): Promise<void> {
  expectRefusal(await graphql(server, team.manager, document), 200, 'INVALID_QUERY');
  const strict = { accept: 'application/graphql-response+json' };
  expectRefusal(await graphql(server, team.manager, document, undefined, strict), 400, 'INVALID_QUERY');
}

describe('depth', () => {
  // events, nodes, and then two for each turn of viewerSubscription and event
  const nested = (turns: number, leaf: string) =>
    `{ events(first: 1) { nodes { ${'viewerSubscription { event { '.repeat(turns)} ${leaf} ${'} }'.repeat(turns)} } } }`;

  test('10 levels pass, 11 do not', async () => {
    expect(await cost(nested(3, 'name viewerSubscription { status }'))).toBe(8);
    await refuses(nested(4, 'name'));
  });

  test('counts through fragments of either kind', async () => {
    const fragments = `fragment F on Event { ... on Event { ...G } } fragment G on Event { viewerSubscription { event { viewerSubscription { status } } } }`;
    expect(await cost(`${nested(2, '...F')} ${fragments}`)).toBe(8);
    await refuses(`${nested(3, '...F')} ${fragments}`);
  });

  test('introspection has a separate limit', async () => {
    const types = (levels: number) =>
      `{ __type(name: "Event") { ${'ofType { '.repeat(levels)} name ${'} '.repeat(levels)} } }`;
    expect((await graphql(server, {}, types(13))).errors).toBeUndefined();
    expectRefusal(await graphql(server, {}, types(14)), 200, 'INVALID_QUERY');
    const wide = '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }';
    expectRefusal(await graphql(server, {}, wide), 200, 'GRAPHQL_VALIDATION_FAILED');
  });
});

test('15 aliases pass, 16 do not, wherever they are', async () => {
  const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ');
  expect(await cost(`{ ${aliases(15)} }`)).toBe(0);
  await refuses(`{ ${aliases(16)} }`);
  await refuses(`{ ${aliases(8)} ...F } fragment F on Query { ${aliases(16).split(' ').slice(16).join(' ')} }`);
});

test('10 directives pass, 11 do not', async () => {
  const directives = (count: number) =>
    Array.from({ length: count }, () => '... @include(if: true) { __typename }').join(' ');
  expect(await cost(`{ ${directives(10)} }`)).toBe(0);
  await refuses(`{ ${directives(11)} }`);
});

test('1,000 tokens pass, 1,001 do not', async () => {
  const fields = (tokens: number) => `{ ${'__typename '.repeat(tokens - 2)} }`;
  expect(await cost(fields(1_000))).toBe(0);
  await refuses(fields(1_001));
});

describe('cost', () => {
  test.each([
    ['{ __typename }', 0],
    ['{ viewer { name } }', 1],
    ['{ viewer { memberships { organization { name } } } }', 101],
    ['{ event(id: "x") { name } organization { name } }', 2],
    ['{ events { totalCount } }', 50],
    ['{ events { nodes { name } edges { node { name } } } }', 50],
    ['{ events(first: 10) { nodes { viewerSubscription { event { name } } } } }', 30],
    ['{ events(last: 3) { nodes { name } } }', 3],
    ['{ events(first: 1000) { nodes { name } } }', 50],
    ['{ events(first: null, last: null) { nodes { name } } }', 50],
    ['{ events(first: 0) { nodes { subscriptions { nodes { status } } } } }', 0],
    ['{ events { nodes { subscriptions { nodes { user { name } } } } } }', 5_050],
    [
      '{ events(first: 10) { nodes { a: subscriptions(first: 5) { totalCount } b: subscriptions { totalCount } } } }',
      560,
    ],
    ['{ ...F ...F } fragment F on Query { events(first: 7) { nodes { name } } }', 7],
    ['{ events { nodes { name } } events { nodes { viewerSubscription { status } } } }', 100],
    ['{ events @skip(if: true) { nodes { name } } viewer { name } }', 1],
    [
      '{ node(id: "x") { ... on Event { subscriptions(first: 5) { nodes { user { name } } } } ... on User { name } } }',
      11,
    ],
    ['{ nodes(ids: ["x", "y"]) { id ... on Event { subscriptions(first: 5) { totalCount } } } }', 12],
  ])('%s asks for %i nodes', async (document, expected) => {
    expect(await cost(document)).toBe(expected);
  });

  test('follows the variables and their defaults', async () => {
    const document =
      'query ($first: Int = 4, $n: Int) { events(first: $first) { nodes { subscriptions(last: $n) { totalCount } } } }';
    expect(await cost(document)).toBe(4 + 4 * 50);
    expect(await cost(document, { first: 2, n: 3 })).toBe(2 + 2 * 3);
    expect(await cost(document, { first: 0 })).toBe(0);
    expect(await cost(document, { first: null, n: null })).toBe(50 + 50 * 50);
  });

  test('10,000 nodes pass, one more does not', async () => {
    // 40 + 40 * 50 * 2 = 4,040; 5,960 = 40 * 149
    const document = (rest: string) => `{ events(first: 40) { nodes {
      subscriptions { nodes { user { name } } } a: subscriptions { nodes { user { name } } }
      b: subscriptions(first: 49) { totalCount } } } ${rest} }`;
    expect(await cost(document(''))).toBe(40 + 40 * 249);
    expect(await cost(document('viewer { name }'))).toBe('INVALID_QUERY');
    await refuses('{ events { nodes { subscriptions { nodes { event { subscriptions { totalCount } } } } } } }');
  });
});

describe('a hostile document is refused at once', () => {
  const refusedQuickly = async (document: string) => {
    const started = performance.now();
    const answer = await graphql(server, team.manager, document);
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(['INVALID_QUERY', 'GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED']).toContain(
      answer.errors?.[0]?.extensions.code,
    );
  };

  const documents = {
    'a fragment in itself': '{ ...F } fragment F on Query { ...F }',
    'fragments in each other': '{ ...F } fragment F on Query { ...G } fragment G on Query { ...F viewer { name } }',
    'a cycle below a field':
      '{ event(id: "x") { ...F } } fragment F on Event { viewerSubscription { event { ...F } } }',
    'a spread of nothing': '{ ...Nothing }',
    'a document of braces': '{'.repeat(50_000),
    'a list of lists': `{ nodes(ids: ${'['.repeat(900)}${']'.repeat(900)}) { id } }`,
    'a deep filter': `{ events(where: ${'{not: '.repeat(240)}{}${'}'.repeat(240)}) { totalCount } }`,
    'deep inline fragments': `${'{ ... '.repeat(330)}{ bogus }${'}'.repeat(330)}`,
    'many equal fields': `{ ${'bogus '.repeat(990)} }`,
  };
  test.each(Object.entries(documents))('%s', async (_what, document) => refusedQuickly(document));

  test('fragments that double at each level', async () => {
    const chain = Array.from(
      { length: 60 },
      (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    );
    await refusedQuickly(`{ ...F0 } ${chain.join(' ')} fragment F60 on Query { bogus }`);
    const valid = await graphql(server, {}, `{ ...F0 } ${chain.join(' ')} fragment F60 on Query { __typename }`);
    expect(valid.data).toEqual({ __typename: 'Query' });
  });

  test('relations that multiply through fragments', async () => {
    const fields = ['a', 'b', 'c'].map((alias) => `${alias}: viewerSubscription { event { ...F<next> } }`).join(' ');
    const chain = [0, 1, 2, 3].map(
      (index) => `fragment F${index} on Event { ${fields.replaceAll('<next>', `${index + 1}`)} }`,
    );
    await refusedQuickly(`{ events { nodes { ...F0 } } } ${chain.join(' ')} fragment F4 on Event { name }`);
  });

  test('fields that conflict in many ways', async () => {
    const sets = Array.from({ length: 60 }, (_, index) => `events(first: ${index}) { nodes { name: id } }`).join(' ');
    await refusedQuickly(`{ ${sets} }`);
  });
});

import { hash } from 'node:crypto';
import { buildSchema, validateExecutionArgs } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Documents, type KnownOperation } from '#compiled-graphql';
import type { Context } from '../../src/engine/context.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { documentRules } from '../../src/schema/execution/operation.ts';
import { Executor } from '../../src/schema/server/plugins/executor.ts';
import { serveParityData } from '../parity/data.ts';
import { graphql } from '../support/faces.ts';
import { compareWithOtherLane, executedOnce, expectNoDifference } from '../support/lanes.ts';
import { type GraphqlAnswer, send, withoutId } from '../support/send.ts';
import { withoutTable } from '../support/sql.ts';

const data = await serveParityData();

interface Operation {
  title: string;
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
  as?: 'member';
}

/** What the compiler's marks of values that JSON does not have begin with. */
const magic = '__MAGIC_';

/** A query whose fragments spread the next one twice each. */
function doubling(count: number): string {
  const fragments = Array.from(
    { length: count },
    (_, index) => `fragment F${index} on User { ...F${index + 1} ...F${index + 1} }`,
  );
  return ['{ viewer { ...F0 } }', ...fragments, `fragment F${count} on User { id }`].join('\n');
}

/** Operations by their titles: a query, or one with what goes along. */
const queries: Record<string, string | Omit<Operation, 'title'>> = {
  'nested pages': '{ events(first: 4) { nodes { subscriptions(first: 2) { nodes { user { name email } } } } } }',
  'a filter in variables': {
    query:
      'query ($where: EventWhere, $order: EventOrder = {direction: DESC}, $after: String) { events(where: $where, orderBy: $order, after: $after) { nodes { name status } } }',
    variables: {
      where: { or: [{ status: { in: ['ACTIVE', 'DRAFT'] } }, { not: { capacity: { gt: 5 } } }] },
      after: null,
    },
  },
  'a fragment in several places': {
    query:
      'query ($n: Int!) { a: events(first: $n) { ...page } b: events(last: $n) { ...page nodes { phase } } } fragment page on EventConnection { nodes { ...event } edges { node { ...event slug } } } fragment event on Event { id name viewerSubscription { status user { id } } }',
    variables: { n: 3 },
  },
  'one response key for several fields, below several aliases':
    '{ events(first: 2) { edges { a: node { it: name } b: node { it: dateStart } } nodes { a: viewerSubscription { it: status } b: viewerSubscription { it: subscribedAt } } } viewer { sessions(first: 1) { edges { a: node { it: createdAt } b: node { it: expiresAt } } } } }',
  'conditions of fields': {
    query: 'query ($yes: Boolean!) { events(first: 2) { nodes { id name @include(if: $yes) slug @skip(if: $yes) } } }',
    variables: { yes: true },
  },
  'nodes of several types': '{ nodes(ids: ["nonsense"]) { __typename id } viewer { __typename id } }',
  'an alias of JavaScript': '{ constructor: viewer { __proto__: name toString: id } }',
  'an operation by name': { query: 'query A { viewer { id } } query B { viewer { name } }', operationName: 'B' },
  'a text that the compiler would take for code': `{ node(id: "${magic}DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dObject.assign(globalThis,{injected:1})") { id } }`,
  'a text that the compiler would take for a number': `{ events(where: {name: {contains: "${magic}NAN__57f286b9_4c20_487f_b409_79804ddcb4f8"}}) { totalCount } }`,
  'a variable left out within a literal':
    'query ($n: Int) { events(where: {or: [{capacity: {eq: $n}}]}) { totalCount } }',
  'a variable within a literal': {
    query: 'query ($n: Int!) { events(where: {capacity: {in: [$n, 20]}}) { totalCount } }',
    variables: { n: 10 },
  },
  'a variable left out that is called as every object has it':
    'query ($toString: String) { events(first: 1, after: $toString) { nodes { id } } }',
  'a key that looks like a path':
    '{ organization { members { edges { cursor } } } members_organization: events(first: 2) { nodes { id } } }',
  'fragments that open to very many selections': doubling(40),
  'nested pages of what is plain': {
    query:
      'query ($n: Int!) { events(first: $n) { nodes { name subscriptions(first: $n) { __typename nodes { id } } } edges { node { slug } } } }',
    variables: { n: 3 },
  },
  'nested pages from either end, by a filter, of another organization of fields': {
    query:
      'query ($where: EventSubscriptionWhere, $last: Int) { events { edges { cursor node { a: subscriptions(last: $last, where: $where) { all: edges { node { __typename status id databaseId createdAt updatedAt checkedInAt eventId userId user { __typename id databaseId name avatarUrl } } } } } } } }',
    variables: { where: { status: { in: ['ACCEPTED', 'PENDING'] } }, last: 2 },
  },
  'nested pages without items': '{ events { nodes { subscriptions(first: 0) { nodes { id } } } } }',
  'nested pages with cursors':
    '{ events(last: 4) { nodes { id subscriptions(first: 1) { edges { cursor node { id status } } nodes { id status } pageInfo { endCursor hasNextPage hasPreviousPage } } } } }',
  'nested pages of which two are different':
    '{ events { nodes { a: subscriptions(first: 1) { nodes { id } } b: subscriptions(last: 1) { nodes { status } } } } }',
  'nested pages after a page':
    'query ($token: String) { events(first: 2, after: $token) { nodes { subscriptions { nodes { user { name } } } } pageInfo { hasPreviousPage } } }',
  'nested pages whose items are shown twice':
    '{ events { nodes { subscriptions(first: 3) { a: nodes { id } b: nodes { status } } } edges { node { s: subscriptions { edges { a: node { id } b: node { status } } } } } } }',
  'nested pages whose edges are shown twice':
    '{ events { nodes { subscriptions { edges { node { user { id } } } x: edges { node { user { name } } } pageInfo { hasNextPage } } } } }',
  'nested pages of events that are shown twice':
    '{ events(orderBy: {direction: DESC}) { a: nodes { subscriptions(first: 1) { nodes { id } } } b: nodes { subscriptions(first: 2) { nodes { status } } } edges { node { name } node { subscriptions(last: 1) { nodes { id } } } n: node { subscriptions(first: 2) { nodes { id } } } } } }',
  'nested pages beside one with a bad cursor':
    '{ a: events { nodes { subscriptions(first: 2) { nodes { status } pageInfo { hasNextPage } } } } b: events(first: 1) { nodes { subscriptions(after: "bad") { nodes { id } } } } }',
  'nested pages with a bad size': '{ events(first: 2) { nodes { name subscriptions(first: -1) { nodes { id } } } } }',
  'nested pages with a bad cursor':
    '{ events(first: 2) { nodes { subscriptions(after: "nonsense") { nodes { id } } } } }',
  'nested pages with a bad filter': '{ events { nodes { subscriptions(where: {id: {in: []}}) { nodes { id } } } } }',
  'a bad cursor': '{ events(after: "nonsense") { nodes { id } } viewer { name } }',
  'no such operation': { query: 'query C { viewer { id } }', operationName: 'D' },
  'too high a cost': {
    query:
      'query E($n: Int) { events(first: $n) { nodes { subscriptions(first: $n) { nodes { event { subscriptions(first: $n) { nodes { id } } } } } } } }',
    variables: { n: 50 },
  },
};
const operations = Object.entries(queries).map(
  ([title, given]): Operation => ({ title, ...(typeof given === 'string' ? { query: given } : given) }),
);

// a member sees the own subscriptions alone
const nested = operations.filter(({ title }) => title.startsWith('nested'));
operations.push(...nested.map((each) => ({ ...each, title: `${each.title}, as a member`, as: 'member' }) as const));

/** The bytes of an answer but for its time and its id. */
async function ask({ query, variables, operationName, as }: Operation, accept: string) {
  const body = { query, variables, operationName };
  const caller = data.askers[as ?? 'manager'];
  return withoutId(await send(data.server, caller, 'POST /graphql', body, { accept }));
}

describe.each(['application/json', 'application/graphql-response+json', '*/*'])(
  'an operation that accepts %s',
  (accept) => {
    it.each(operations)('answers the same bytes once it is validated, and compiled: $title', async (operation) => {
      // a comment makes it a document of its own, which nobody has sent yet
      const fresh = { ...operation, query: `# ${accept} ${operation.title}\n${operation.query}` };
      const first = await ask(fresh, accept);
      for (let again = 0; again < 4; again += 1) expect(await ask(fresh, accept)).toEqual(first);
      expect(globalThis).not.toHaveProperty('injected');
    });
  },
);

it('masks failures in the same way, whether the query is compiled or new', async () => {
  const query = '{ viewer { name } events(first: 3) { nodes { name } } event(id: "nonsense") { id } }';
  const [known, fresh] = ['# A', '# B'].map((comment) => ({ title: comment, query: `${comment}\n${query}` }));
  for (let again = 0; again < 4; again += 1) await ask(known as Operation, '*/*');
  await withoutTable(data.server, 'event', async () => {
    const first = await ask(known as Operation, '*/*');
    expect(JSON.parse(first.text)).toMatchObject({
      data: null,
      errors: [{ message: 'Something went wrong on our side.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
    for (let again = 0; again < 5; again += 1) expect(await ask(fresh as Operation, '*/*')).toEqual(first);
    expect(data.server.takeCompiledFailures().length).toBeGreaterThan(1);
  });
});

const filtered =
  'query ($name: String!, $after: String) { events(where: {name: {contains: $name}}, after: $after) { nodes { id } } }';

/** Asks often enough that the operation runs compiled. */
async function askOften(variables: Record<string, unknown>, times = 1): Promise<GraphqlAnswer> {
  const answer = await executedOnce(() => graphql(data.askers.owner, filtered, variables));
  return times > 1 ? await askOften(variables, times - 1) : answer;
}

const failures = () =>
  data.server.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'a compiled operation failed');

it('a compiled operation that fails is logged and counted, without a value, and answered by graphql-js', async () => {
  expect((await askOften({ name: 'hidden' }, 3)).errors).toBeUndefined();
  const before = failures().length;
  await withoutTable(data.server, 'event', async () => {
    for (const count of [1, 2]) {
      const { errors, headers } = await askOften({ name: 'hidden' });
      expect(errors?.[0]).toMatchObject({ path: ['events'], extensions: { code: 'INTERNAL_SERVER_ERROR' } });
      const line = failures().at(-1);
      expect(line).toMatchObject({
        level: 40,
        requestId: headers.get('x-request-id'),
        document: hash('sha256', filtered, 'hex'),
        failures: before + count,
        at: expect.arrayContaining([expect.stringMatching(/^at /)]),
      });
      expect(JSON.stringify(line)).not.toMatch(/hidden|absent|does not exist/);
    }
  });
  expect(data.server.takeCompiledFailures()).toHaveLength(2);
});

it('a compiled operation that is refused is no failure', async () => {
  expect((await askOften({ name: 'any' }, 3)).errors).toBeUndefined();
  expect((await askOften({ name: 'any', after: 'nonsense' })).errors?.[0]?.extensions.code).toBe('INVALID_CURSOR');
  expect((await askOften({ name: '' })).errors?.[0]?.extensions.code).toBe('INVALID_QUERY');
  expect(data.server.takeCompiledFailures()).toEqual([]);
});

describe('what compares the lanes', () => {
  const schema = buildSchema('type Query { value: String! }');
  const ctx = { client: { requestId: 'request-1' }, usage: new Usage() } as Context;
  const run = async (resolve: () => unknown) => {
    Object.assign(schema.getQueryType()?.getFields().value as object, { resolve });
    const document = new Documents(schema, documentRules).parse('{ value }');
    const operation = document.operation(undefined) as KnownOperation;
    const args = validateExecutionArgs({ schema, document });
    if (!('schema' in args)) throw args[0];
    const execution = { operation, args, cost: 0, checkFailure: () => undefined };
    const result = await new Executor().execute(execution, ctx);
    await compareWithOtherLane(execution, ctx, result);
    return result;
  };

  it('finds that answers differ, and that only a compiled query fails', async () => {
    expect(await run(() => 'the same')).toEqual({ data: { value: 'the same' } });
    const answers = ['one', 'another'];
    await expect(run(() => answers.shift())).rejects.toThrow(/one.*another/s);
    // which graphql-js writes as a text
    await expect(run(() => 1)).rejects.toThrow('a compiled query failed, but graphql-js succeeded');
    expect(expectNoDifference).toThrow(/^Lanes differ/);
    expect(expectNoDifference).not.toThrow();
  });
});

import { buildSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { useCompiledQueries } from '../src/index.ts';

const schema = buildSchema(`
  interface Named { name: String! }
  type Place implements Named { name: String!, beds: Int }
  type Person implements Named { name: String!, place: Place }
  type Query { person(name: String = "Ann"): Person, all: [Named!]! }
`);
const place = { __typename: 'Place', name: 'The "Inn"', beds: null };
let calls: unknown[] = [];
const roots = {
  person: ({ name }: { name: string }, ctx: { attempt?: number }) => {
    calls.push(ctx.attempt ?? 1);
    return name === 'nobody' ? Promise.reject(new Error('gone')) : Promise.resolve({ name, place });
  },
  all: () => [place, { __typename: 'Person', name: 'Bo', place }],
};
for (const [name, resolve] of Object.entries(roots)) {
  const field = schema.getQueryType()?.getFields()[name];
  if (field) field.resolve = (_root, args, ctx) => resolve(args, ctx) as never;
}

const yogaWith = (plugins: ReturnType<typeof useCompiledQueries>[]) =>
  createYoga({ schema, plugins, logging: false, maskedErrors: false });
const plain = yogaWith([]);
const freshContext = (ctx: object) => ({ ...ctx, attempt: 2 });

async function ask(yoga: typeof plain, query: string, variables = {}): Promise<string> {
  const response = await yoga.fetch('http://test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return await response.text();
}

test.each([
  ['{ person { name place { name beds } } }', {}],
  [
    'query ($name: String) { one: person(name: $name) { ...f } } fragment f on Person { name again: name }',
    { name: 'Cy' },
  ],
  ['{ all { __typename name ... on Place { beds } ... on Person { place { name } } } }', {}],
  ['query ($yes: Boolean!) { person { name @include(if: $yes) place @skip(if: $yes) { beds } } }', { yes: true }],
  ['{ person(name: "nobody") { name } all { name } }', {}],
  ['query ($name: String!) { person(name: $name) { name } }', {}],
])('%s is answered as by graphql-js, again and again', async (query, variables) => {
  const yoga = yogaWith([useCompiledQueries({ freshContext })]);
  const expected = await ask(plain, query, variables);
  for (let run = 0; run < 3; run += 1) expect(await ask(yoga, query, variables)).toBe(expected);
});

test('a query that fails when compiled is run again with a fresh context, and one too large as well', async () => {
  const yoga = yogaWith([useCompiledQueries({ freshContext })]);
  const query = '{ person(name: "nobody") { name } }';
  await ask(yoga, query);
  calls = [];
  await ask(yoga, query);
  // the second execution is the first compiled one
  expect(calls).toEqual([1, 2]);
  const small = yogaWith([useCompiledQueries({ freshContext, maxLength: 5 })]);
  calls = [];
  for (let run = 0; run < 2; run += 1) await ask(small, '{ person { name } }');
  expect(calls).toEqual([1, 1, 2]);
});

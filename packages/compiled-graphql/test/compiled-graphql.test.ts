import { buildSchema, execute, type GraphQLInterfaceType, getVariableValues } from 'graphql';
import { expect, it } from 'vitest';
import { Documents } from '../src/index.ts';

const schema = buildSchema(`
  interface Named { name: String! }
  type Place implements Named { name: String!, beds: Int }
  type Person implements Named { name: String!, place: Place }
  type Query { person(name: String = "Ann"): Person, all: [Named!]! }
`);
const place = { __typename: 'Place', name: 'The "Inn"', beds: null };
const roots = {
  person: ({ name }: { name: string }) =>
    name === 'nobody' ? Promise.reject(new Error('gone')) : Promise.resolve({ name, place }),
  all: () => [place, { __typename: 'Person', name: 'Bo', place }],
};
for (const [name, resolve] of Object.entries(roots)) {
  const field = schema.getQueryType()?.getFields()[name];
  if (field) field.resolve = (_root, args) => resolve(args as never) as never;
}
const named = schema.getType('Named') as GraphQLInterfaceType;
named.resolveType = (value) => (value as typeof place).__typename;

function compile(source: string, maxLength = 1_000) {
  const documents = new Documents(schema, {
    limits: { depth: 5, introspectionDepth: 5, aliases: 5, directives: 5, tokens: 100 },
    maxCost: 100,
    compiled: { maxLength, tooLarge: () => new Error('too large'), texts: [] },
  });
  const document = documents.parse(source);
  const operation = document.operation(undefined);
  for (let run = 0; run < 2; run += 1) operation?.countRun();
  const run = async (variables: Record<string, unknown> = {}) => {
    const declared = operation?.node.variableDefinitions ?? [];
    const { variableValues } = getVariableValues(schema, declared, variables);
    if (!variableValues) throw new Error('the variables are not valid');
    return await operation?.compiled?.run({}, variableValues);
  };
  return { document, compiled: operation?.compiled, run };
}

it.each([
  ['{ person { name place { name beds } } }', {}],
  [
    'query ($name: String) { one: person(name: $name) { ...f } } fragment f on Person { name again: name }',
    { name: 'Cy' },
  ],
  ['{ all { __typename name ... on Place { beds } ... on Person { place { name } } } }', {}],
])('%s is answered as by graphql-js, again and again', async (query, variables) => {
  const { document, run } = compile(query);
  const { data } = await execute({ schema, document, variableValues: variables });
  for (let time = 0; time < 3; time += 1) expect(await run(variables)).toBe(JSON.stringify(data));
});

it.each([
  'query ($yes: Boolean!) { person { name @include(if: $yes) } }',
  '{ __schema { types { name } } }',
  'mutation { person { name } }',
])('%s is left to graphql-js', (query) => {
  expect(compile(query).compiled).toBeNull();
});

it('a query that fails, or is too large, has no answer', async () => {
  await expect(compile('{ person(name: "nobody") { name } all { name } }').run()).rejects.toThrow('gone');
  await expect(compile('{ person { name } }', 5).run()).rejects.toThrow('too large');
});

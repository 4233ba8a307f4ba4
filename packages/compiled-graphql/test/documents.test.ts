import { buildSchema, GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { type DocumentOptions, Documents, type ReadArgument } from '../src/index.ts';

const schema = buildSchema(`
  type Person { name: String!, friends(first: Int): [Person!]! }
  type Query { person: Person, people(first: Int): [Person!]! }
`);
const cost = (argument: ReadArgument) => Number(argument('first') ?? 10);
for (const [type, field] of [
  ['Query', 'people'],
  ['Person', 'friends'],
] as const) {
  const found = schema.getTypeMap()[type];
  if (found && 'getFields' in found) Object.assign(found.getFields()[field]?.extensions ?? {}, { cost });
}

const known = (options?: DocumentOptions) =>
  new Documents(
    schema,
    {
      limits: { depth: 4, introspectionDepth: 15, aliases: 2, directives: 1, tokens: 60 },
      maxCost: 100,
      compiled: { maxLength: 1_000, tooLarge: () => new Error('too large'), texts: [] },
    },
    options,
  );

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return `${error.extensions.code}: ${error.message}`;
  }
}

it.each([
  ['{ person { name } }', []],
  ['{ person { nothing } }', ['Cannot query field "nothing" on type "Person".']],
  [
    '{ people { friends { friends { friends { name } } } } }',
    ['The document has 5 levels of fields; at most 4 are allowed.'],
  ],
  ['{ person { ...A } } fragment A on Person { friends { ...A } }', ['Cannot spread fragment "A" within itself.']],
  [
    '{ a: person { name } b: person { name } c: person { name } }',
    ['The document has 3 aliases; at most 2 are allowed.'],
  ],
  [`{ person { ${'name '.repeat(30)} } }`, []],
])('the errors of %s are %j', (source, errors) => {
  const documents = known();
  expect(documents.validate(documents.parse(source)).map(({ message }) => message)).toEqual(errors);
});

it.each([
  ['{ person {', 'GRAPHQL_PARSE_FAILED: Syntax Error: Expected Name, found <EOF>.'],
  [
    `{ person { ${'name '.repeat(60)} } }`,
    'INVALID_QUERY: Syntax Error: Document contains more than 60 tokens. Parsing aborted.',
  ],
])('%s cannot be parsed', (source, error) => {
  expect(outcomeOf(() => known().parse(source))).toBe(error);
});

it.each([
  ['{ person { name } }', 0],
  ['{ people(first: 3) { name } }', 3],
  ['{ people(first: 3) { friends(first: 4) { name } } }', 15],
  [
    '{ people { friends { name } } }',
    'INVALID_QUERY: The operation asks for more than 100 nodes; ask for smaller pages.',
  ],
])('the cost of %s is %s', (source, nodes) => {
  const operation = known().parse(source).operation(undefined);
  expect(outcomeOf(() => operation?.cost({ sources: {}, coerced: {} }))).toBe(nodes);
});

it('compiles an operation at its second run, and a trusted one at its first', () => {
  const source = '{ person { name } }';
  const run = (documents: Documents) => documents.parse(source).operation(undefined);
  const [usual, trusted] = [run(known()), run(known({ trusted: new Map([['id', source]]) }))];
  for (const operation of [usual, trusted]) operation?.countRun();
  expect([usual?.compiled === null, trusted?.compiled === null]).toEqual([true, false]);
  usual?.countRun();
  expect(usual?.compiled).not.toBeNull();
});

it('finds a document by the hash under which it was registered, until newer ones need its room', () => {
  const documents = known({ cacheBytes: 200_000 });
  const named = (index: number) => ({
    query: `query Q${index} { person { name } } # ${'x'.repeat(5_000)}`,
    documentId: `${index}`,
  });
  for (let index = 0; index < 20; index += 1) documents.remember(documents.parse(named(index).query), named(index));
  const find = (index: number) => outcomeOf(() => documents.textOf({ query: null, documentId: `${index}` }));
  expect(find(19)).toBe(named(19).query);
  expect(find(0)).toBe('PERSISTED_QUERY_NOT_FOUND: PersistedQueryNotFound');
});

it('takes only trusted documents if these are the only ones, and refuses those that are not valid', () => {
  const source = '{ person { name } }';
  const documents = known({ trusted: new Map([['sha256:one', source]]), trustedOnly: true });
  expect(documents.textOf({ query: null, documentId: 'one' })).toBe(source);
  expect(documents.textOf({ query: source, documentId: null })).toBe(source);
  expect(outcomeOf(() => documents.textOf({ query: '{ person { friends { name } } }', documentId: null }))).toBe(
    'PERSISTED_QUERY_ONLY: Only trusted documents are accepted.',
  );
  const invalid = new Map([
    ['x', '{ nothing }'],
    ['y', '{ person'],
  ]);
  expect(() => known({ trusted: invalid })).toThrow(
    'Not all trusted documents are valid:\n  x: Cannot query field "nothing" on type "Query".\n  y: Syntax Error: Expected Name, found <EOF>.',
  );
});

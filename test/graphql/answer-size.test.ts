import { hash } from 'node:crypto';
import fc from 'fast-check';
import { GraphQLError, getIntrospectionQuery } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { maxAnswerBytes } from '../../src/schema/execution/operation.ts';
import { isResultTooLarge, isTextTooLarge } from '../../src/schema/server/plugins/executor.ts';
import { insertEvent, insertMember, insertSubscription } from '../support/fixtures.ts';
import { expectRefusal, graphql, query, readAnswer } from '../support/send.ts';
import { serveTeam, signIn } from '../support/server.ts';

const { server, team } = await serveTeam();

/** A field several times, under aliases that no other call gives, and of so many characters at the least. */
function repeated(count: number, field: string, length = 1): string {
  const names = Array.from({ length: count }, () => {
    made += 1;
    return `${'a'.repeat(length)}${made}`;
  });
  return names.map((name) => `${name}: ${field}`).join(' ');
}
let made = 0;

function objectsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + objectsIn(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + objectsIn(Object.values(value));
}

describe('introspection', () => {
  const everything = {
    descriptions: true,
    schemaDescription: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    inputValueDeprecation: true,
    experimentalDirectiveDeprecation: true,
    oneOf: true,
  };
  const typeRef = (levels: number) => `kind name ${'ofType { kind name '.repeat(levels)}${'}'.repeat(levels)}`;

  const introspections = {
    graphql: getIntrospectionQuery(),
    'graphql with every option': getIntrospectionQuery(everything),
    'graphql with 9 levels of types': getIntrospectionQuery({ ...everything, typeDepth: 9 }),
    'older clients, 7 levels': getIntrospectionQuery({ inputValueDeprecation: false, typeDepth: 7 }),
    'no descriptions, as urql and Relay ask': getIntrospectionQuery({ descriptions: false }),
    'a type, as editors ask': `{ __type(name: "Event") { name fields(includeDeprecated: true) { name args { name type { ${typeRef(9)} } } type { ${typeRef(9)} } } } }`,
    'what can be': '{ __schema { types { name possibleTypes { name } interfaces { name } enumValues { name } } } }',
    'a fragment at two places':
      '{ __schema { queryType { ...T } types { ...T } } } fragment T on __Type { fields { type { ofType { name } } } }',
    'fields that merge':
      '{ __schema { types { name } types { kind fields { name } } } __schema { types { fields { args { name } } } } }',
    'what there is not': '{ __type(name: "Nothing") { name fields { name } } }',
  };
  test.each(Object.entries(introspections))(
    'of %s costs a node for each object of its answer',
    async (_what, document) => {
      const { data, errors, extensions } = await graphql(server, {}, document);
      expect(errors).toBeUndefined();
      // the data itself is no node
      expect(extensions?.cost).toBe(objectsIn(data) - 1);
    },
  );

  it('costs what its variables ask for', async () => {
    const document =
      'query ($name: String!, $all: Boolean = true) { __type(name: $name) { fields(includeDeprecated: $all) { name } } }';
    const { data, extensions } = await graphql(server, {}, document, { name: 'Event' });
    expect(extensions?.cost).toBe(objectsIn(data) - 1);
    expect(extensions?.cost).toBeGreaterThan(10);
  });

  const fields = 'fields { name args { name type { name } } type { name ofType { name } } }';
  const inputs = 'inputFields { name type { name } }';
  const hostile = {
    'a list under two names': '{ __schema { types { a: fields { name } b: fields { name } } } }',
    'the schema under two names': '{ a: __schema { types { name } } b: __schema { types { name } } }',
    'aliases of lists': `{ __schema { ${repeated(15, `types { ${fields} ${inputs} }`)} } }`,
    'aliases that multiply at every level': `{ __schema { ${repeated(5, 'types { ...A }')} } }
      fragment A on __Type { ${repeated(5, 'fields { ...B }')} ${repeated(5, 'inputFields { type { name } }')} }
      fragment B on __Field { args { name type { name ofType { name } } } type { name ofType { name } } }`,
    'fragments that cross and multiply': `{ __schema { types { ...A } } }
      fragment A on __Type { possibleTypes { ...B } interfaces { ...B } fields { type { ...B } args { type { ...B } } } }
      fragment B on __Type { ${repeated(3, 'ofType { ...C }')} ...C }
      fragment C on __Type { ${repeated(3, 'ofType { ...D }')} ...D }
      fragment D on __Type { ${repeated(4, 'fields { args { name type { name } } }')} ${inputs} }`,
    'types by name': `{ ${repeated(7, '__type(name: "EventWhere") { inputFields { type { ...T } } }')} }
      fragment T on __Type { ofType { ofType { ...U } } ...U } fragment U on __Type { ${repeated(8, inputs)} }`,
  };
  test.each(Object.entries(hostile))('of %s is refused, whoever asks', async (_what, document) => {
    for (const caller of [{}, team.manager]) {
      const refused = expectRefusal(await graphql(server, caller, document), 200, 'INVALID_QUERY');
      expect(refused.message).toMatch(/nodes|only once/);
    }
  });

  it('is refused in every way that a document comes', async () => {
    const document = hostile['a list under two names'];
    const ask = async (search: Record<string, string>) =>
      await readAnswer(
        await fetch(`${server.url}/graphql?${new URLSearchParams(search)}`, {
          headers: { 'x-graphql-yoga-csrf': '1' },
        }),
      );
    const persistedQuery = { version: 1, sha256Hash: hash('sha256', document, 'hex') };
    expectRefusal(await ask({ query: document }), 200, 'INVALID_QUERY');
    expectRefusal(await ask({ query: document, extensions: JSON.stringify({ persistedQuery }) }), 200, 'INVALID_QUERY');
    expectRefusal(await ask({ documentId: persistedQuery.sha256Hash }), 200, 'PERSISTED_QUERY_NOT_FOUND');
  });
});

describe('an answer of more than 5 MB', async () => {
  const description = 'Ä'.repeat(9_999) + '"'.repeat(5_000);

  const { organizationId, userId } = team.manager;
  for (let index = 0; index < 20; index += 1) {
    const { id: eventId } = await insertEvent(server.orm, { organizationId, description });
    await insertSubscription(server.orm, { eventId, userId });
  }

  const ask = async (document: string) => await graphql(server, team.manager, document);

  const large = {
    'texts under several aliases': `{ events { nodes { ${repeated(9, 'description')} } } }`,
    'aliases that are long': `{ ${repeated(4, 'events { nodes { ...long } }')} } fragment long on Event { ${repeated(1, 'name', 80_000)} }`,
    'the same row at many places': `{ events { nodes { subscriptions(first: 1) { nodes { ${repeated(9, 'event { description }')} } } } } }`,
    'names of types': `{ ${repeated(4, 'events { edges { ...long } }')} } fragment long on EventEdge { ${repeated(1, '__typename', 80_000)} }`,
  };
  test.each(Object.entries(large))('is refused for %s, however often it is asked for', async (_what, document) => {
    for (let run = 0; run < 4; run += 1) {
      const refused = expectRefusal(await ask(document), 200, 'INVALID_QUERY');
      expect(refused.message).toBe('The response has more than 5 MB; ask for smaller pages or fewer fields.');
    }
  });

  it('begins one byte above the largest that is given', async () => {
    // most of it by texts, the rest by the length of two aliases, one of them of a single row
    const document = (each: number, once: number) =>
      `{ events { nodes { ${descriptions} ${'z'.repeat(each)}: id } } ${'y'.repeat(once)}: viewer { id } }`;
    const descriptions = repeated(8, 'description');
    const spare = maxAnswerBytes - Buffer.byteLength((await ask(document(1, 1))).text);
    const each = 1 + Math.floor((spare - 10) / 20);
    const once = 1 + spare - (each - 1) * 20;
    for (let run = 0; run < 4; run += 1) {
      const { text, errors } = await ask(document(each, once));
      expect(errors).toBeUndefined();
      expect(Buffer.byteLength(text)).toBe(maxAnswerBytes);
      expectRefusal(await ask(document(each, once + 1)), 200, 'INVALID_QUERY');
    }
  });

  it('is refused after a mutation with a word on what was done', async () => {
    const { email } = await insertMember(server.orm, { organizationId, role: 'owner' });
    const owner = { organizationId, accessToken: (await signIn(server.url, email)).accessToken };
    for (let index = 0; index < 4; index += 1) await insertMember(server.orm, { organizationId });
    const document = `mutation ($name: String!) {
      updateOrganization(input: {name: $name}) { organization { ${repeated(14, 'members { nodes { ...long } }')} } }
    } fragment long on Membership { ${'m'.repeat(80_000)}: id }`;
    const answer = await graphql(server, owner, document, { name: 'Renamed' });
    expect(expectRefusal(answer, 200, 'INVALID_QUERY').message).toContain('The mutation was executed');
    expect(await query(server, owner, '{ organization { name } }')).toEqual({ organization: { name: 'Renamed' } });
    const takenBack = await graphql(server, owner, document, { name: 'Again' }, { 'idempotency-key': 'again' });
    expect(expectRefusal(takenBack, 200, 'INVALID_QUERY').message).toMatch(/^The response/);
    expect(await query(server, owner, '{ organization { name } }')).toEqual({ organization: { name: 'Renamed' } });
  });
});

describe('the size of a result', () => {
  const limit = (value: object) => Buffer.byteLength(JSON.stringify(value));

  it('is that of its JSON', () => {
    const json = fc.jsonValue({ maxDepth: 5 }).map((value) => ({ value }));
    fc.assert(
      fc.property(json, (value) => {
        const padded = (length: number) => ({ ...value, padding: 'x'.repeat(length) });
        const exact = maxAnswerBytes - limit(padded(0));
        expect(isResultTooLarge(padded(exact))).toBe(false);
        expect(isResultTooLarge(padded(exact + 1))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('counts errors as they are written, and texts in bytes', () => {
    const error = new GraphQLError('x', { path: ['y'.repeat(maxAnswerBytes)] });
    expect(isResultTooLarge({ errors: [error] })).toBe(true);
    expect(isTextTooLarge('ä'.repeat(maxAnswerBytes / 2))).toBe(false);
    expect(isTextTooLarge(`${'ä'.repeat(maxAnswerBytes / 2)}.`)).toBe(true);
  });
});

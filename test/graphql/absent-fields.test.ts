import { getNamedType, isEnumType, isInputObjectType, isNonNullType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { errorStatus } from '../../src/http/errors.ts';
import { schema } from '../../src/schema/schema.ts';
import { expectRefusal, graphql } from '../support/graphql.ts';
import { serveTeam } from '../support/team.ts';

// What a mutation requires and its variables lack (reference/graphql.md#errors).

const { server, team } = await serveTeam({ env: { RATE_LIMIT: 'off' } });

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) => {
  const input = getNamedType(args[0]?.type);
  if (!isInputObjectType(input)) return [];
  const required = Object.values(input.getFields()).filter(({ type }) => isNonNullType(type));
  return required.length === 0 ? [] : [{ name, input: input.name, required: required.map((field) => field.name) }];
});

async function issuesOf({ name, input }: (typeof mutations)[number], value: Record<string, unknown>, by = team.owner) {
  const document = `mutation ($input: ${input}!) { ${name}(input: $input) { clientMutationId } }`;
  return await graphql(server, by, document, { input: value });
}

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
    const create = mutations.find(({ name }) => name === 'createEvent');
    const answer = await issuesOf(create as never, { name: '', dateEnd: '2127-05-01T10:00:00Z' });
    expect(answer.errors?.[0]?.extensions.errors).toEqual([
      { pointer: '/name', code: 'VALIDATION_ERROR', detail: expect.any(String) },
      { pointer: '/dateStart', code: 'VALIDATION_ERROR', detail: 'This field is required.' },
    ]);
  });

  it('are checked after the role', async () => {
    const create = mutations.find(({ name }) => name === 'createEvent');
    const answer = await issuesOf(create as never, {}, team.member);
    expect(answer.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('of nested objects have their whole pointer', async () => {
    const set = mutations.find(({ name }) => name === 'setEventForm');
    const answer = await issuesOf(set as never, { questions: [{ type: 'CHOICE', options: [{ value: 'a' }] }] });
    expect(answer.errors?.[0]?.extensions.errors?.map(({ pointer }) => pointer)).toEqual([
      '/questions/0/key',
      '/questions/0/label',
      '/questions/0/options/0/label',
      '/eventId',
    ]);
  });

  it('do not excuse a wrong type, an unknown field, or what the document itself leaves out', async () => {
    const create = mutations.find(({ name }) => name === 'createEvent') as (typeof mutations)[number];
    for (const value of [{ name: 1 }, { nothing: true }]) {
      expectRefusal(await issuesOf(create, value), 200, 'GRAPHQL_VALIDATION_FAILED');
    }
    const literal = await graphql(
      server,
      team.owner,
      'mutation { createEvent(input: { name: "A" }) { event { id } } }',
    );
    expectRefusal(literal, 200, 'GRAPHQL_VALIDATION_FAILED');
    const document = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } } }';
    expectRefusal(await graphql(server, team.owner, document, {}), 200, 'GRAPHQL_VALIDATION_FAILED');
  });
});

describe('ErrorCode', () => {
  it('has every code of the catalogue', () => {
    const type = schema.getType('ErrorCode');
    expect(isEnumType(type) && type.getValues().map(({ name }) => name)).toEqual(Object.keys(errorStatus));
  });
});

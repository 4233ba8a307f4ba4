import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type GraphQLNamedType, getNamedType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printedOpenapi } from '../../src/commands/printed-openapi.ts';
import { errorStatus } from '../../src/kernel/errors.ts';
import { schema } from '../../src/schema/schema.ts';

interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  'x-graphql': string[];
  requestBody?: { content: { 'application/json': { schema: { properties: Record<string, unknown> } } } };
  parameters: { name: string; in: string; schema: { type: string } }[];
  responses: Record<string, { $ref?: string }>;
}

const document = JSON.parse(printedOpenapi()) as {
  openapi: string;
  servers: unknown[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties?: Record<string, unknown> }>;
    responses: Record<string, { description: string; headers?: object }>;
  };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** The operations that make something. */
const creating = [
  'createOrganization',
  'inviteMember',
  'createApiKey',
  'createWebhook',
  'createEvent',
  'duplicateEvent',
  'subscribe',
];

describe('openapi.json', () => {
  it('is what the routes say; run `npm run print` if this fails', () => {
    expect(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).toBe(printedOpenapi());
  });

  it('is valid', async () => {
    const result = await new Validator().validate(printedOpenapi());
    expect(result).toMatchObject({ valid: true });
  });

  it('is OpenAPI 3.1 with a server, and every reference in it leads somewhere', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).not.toEqual([]);
    const references = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(schemas|responses)\/([\w.]+)"/g),
    ].map((match) => [match[1], match[2]] as ['schemas' | 'responses', string]);
    expect(references.length).toBeGreaterThan(20);
    for (const [kind, name] of references) expect(Object.keys(document.components[kind])).toContain(name);
    expect(new Set(operations.map((each) => each.operationId)).size).toBe(operations.length);
  });

  it('names the GraphQL fields that do the same, and they exist', () => {
    const named = operations.flatMap((each) => each['x-graphql']);
    expect(new Set(named).size).toBeGreaterThan(60);
    for (const name of named) {
      let type: GraphQLNamedType | undefined | null;
      for (const part of name.split('.')) {
        const fields = isObjectType(type) ? type.getFields() : {};
        type = type ? getNamedType(fields[part]?.type) : schema.getType(part);
        expect(type, name).toBeDefined();
      }
    }
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {}).map((each) => `Mutation.${each}`);
    expect(named).toEqual(expect.arrayContaining(mutations));
  });

  it('says of which operations GraphQL has nothing: signing in, files, and guests', () => {
    const alone = operations.filter((each) => each['x-graphql'].length === 0);
    for (const { operationId, tags } of alone) {
      const isFile = /^export|Calendar$/.test(operationId);
      expect([operationId, isFile || ['auth', 'guests'].includes(tags[0] ?? '')]).toEqual([operationId, true]);
    }
    expect(alone).toHaveLength(24);
    for (const { description } of alone) expect(description).toMatch(/^Only in REST: \w/);
  });

  it('declares Retry-After wherever it is sent', () => {
    const declared = Object.entries(document.components.responses).map(
      ([name, { headers = {} }]) => [name, 'Retry-After' in headers] as const,
    );
    for (const [name, has] of declared) expect([name, has]).toEqual([name, /^(429|503)\.|\.CONFLICT/.test(name)]);
  });

  it('describes where, fields and include as strings', () => {
    const described = operations
      .flatMap((each) => each.parameters)
      .filter((each) => ['where', 'fields', 'include'].includes(each.name));
    expect(described.length).toBeGreaterThan(8);
    for (const parameter of described) expect(parameter.schema.type).toBe('string');
  });

  it('declares every status with its codes', () => {
    for (const { operationId, responses } of operations) {
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['405', '500', '503']));
      const success = creating.includes(operationId) ? '201' : '200';
      expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toEqual([success]);
      for (const [status, { $ref }] of Object.entries(responses)) {
        // what is not modified has no codes
        if (status === success || status === '304') continue;
        const response = document.components.responses[($ref as string).split('/').at(-1) as string] as {
          description: string;
        };
        const codes = [...response.description.matchAll(/`([A-Z_]+)`:/g)].map(
          (match) => match[1] as keyof typeof errorStatus,
        );
        expect(codes.length).toBeGreaterThan(0);
        for (const code of codes) expect(errorStatus[code]).toBe(Number(status));
      }
    }
  });

  it('knows the fields of the resources', () => {
    expect(Object.keys(document.components.schemas.Event?.properties ?? {})).toContain('accepted_count');
    expect(Object.keys(document.components.schemas.Subscription?.properties ?? {})).toContain('user');
  });

  it('says what the fields of an event take', () => {
    for (const operationId of ['createEvent', 'updateEvent', 'duplicateEvent']) {
      const body = operations.find((each) => each.operationId === operationId)?.requestBody;
      expect(body?.content['application/json'].schema.properties).toMatchObject({
        status: { type: 'integer' },
        description: { anyOf: [{ type: 'string', maxLength: 20_000 }, { type: 'null' }] },
      });
    }
  });
});

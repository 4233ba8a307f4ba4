import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type GraphQLNamedType, getNamedType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printedOpenapi } from '../../src/commands/printed-openapi.ts';
import { changeKinds } from '../../src/domain/change/change.table.ts';
import { errorStatus } from '../../src/http/errors.ts';
import { schema } from '../../src/schema/schema.ts';

interface DeclaredResponse {
  description: string;
  headers?: object;
  content?: Record<string, { schema: { $ref?: string; anyOf?: { $ref: string }[] } }>;
}

interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  'x-graphql': string[];
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
  parameters: { name: string; in: string; description: string; schema: { type: string } }[];
  security: object[];
  responses: Record<string, DeclaredResponse & { $ref?: string }>;
}

const document = JSON.parse(printedOpenapi()) as {
  openapi: string;
  info: { version: string };
  servers: unknown[];
  webhooks: Record<string, { post: Operation }>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties?: Record<string, Record<string, unknown>>; required?: string[] }>;
    responses: Record<string, DeclaredResponse>;
  };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** Whether an operation makes something. */
const isCreating = (operationId: string) => /^(create|invite|duplicate)|^subscribe$/.test(operationId);

const nameIn = (reference: string) => reference.split('/').at(-1) as string;

/** The code of an error's schema. */
const codeIn = (schema: unknown) =>
  (schema as { allOf: { properties: { code: { const: string } } }[] }).allOf[1]?.properties.code.const;

describe('openapi.json', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(document.info.version).toBe(version);
  });

  it('requires every field that a resource always has', () => {
    const { schemas } = document.components;
    for (const list of Object.keys(schemas).filter((name) => name.endsWith('List')))
      expect([list, schemas[list]?.required]).toEqual([list, ['items', 'length', 'has_more', 'next', 'prev']]);
    expect(schemas.Event?.required).toEqual(
      Object.keys(schemas.Event?.properties ?? {}).filter(
        (name) => !/^(availability|subscription_counts|places_left|url|viewer_can)$/.test(name),
      ),
    );
    expect(schemas.CreatedWebhook?.required).toEqual(expect.arrayContaining(['id', 'secret']));
    expect(schemas.NewApiKey?.required).toEqual(expect.arrayContaining(['id', 'secret']));
    expect(schemas.Subscription?.required).not.toContain('event');
    for (const { parameters } of operations)
      for (const { name, description } of parameters)
        if (name === 'fields') expect(description).toContain('whatever its schema requires');
  });

  it('names every body and every response', () => {
    for (const { operationId, requestBody } of operations)
      if (requestBody) expect([operationId, requestBody.content['application/json'].schema]).toHaveProperty('1.$ref');
    for (const name of Object.keys(document.components.responses)) expect(name).toMatch(/^[A-Z][A-Za-z]{5,22}$/);
    expect(document.components.schemas.Problem?.properties?.errors).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Issue' },
    });
    expect(document.components.schemas.Issue?.properties?.code).toMatchObject({ enum: Object.keys(errorStatus) });
  });

  it('needs no parameter that only a browser can send', () => {
    expect(operations.flatMap(({ parameters }) => parameters.filter((each) => each.in === 'cookie'))).toEqual([]);
    const security = (operationId: string) => operations.find((each) => each.operationId === operationId)?.security;
    expect(security('refresh')).toEqual([{ cookie: [] }]);
    expect(security('logout')).toEqual([{ cookie: [] }, { bearer: [] }, {}]);
  });

  it('describes the messages of webhooks', () => {
    expect(Object.keys(document.webhooks)).toEqual([...changeKinds, 'ping']);
  });

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
    const inline = operations.flatMap(({ responses }) => Object.values(responses).filter(({ $ref }) => !$ref));
    const refusals = [...Object.values(document.components.responses), ...inline].filter(
      ({ content }) => content && 'application/problem+json' in content,
    );
    expect(refusals.length).toBeGreaterThan(100);
    for (const { description, headers = {} } of refusals)
      expect([description, 'Retry-After' in headers]).toEqual([
        description,
        /`(RATE_LIMITED|SERVICE_UNAVAILABLE|CONFLICT)`/.test(description),
      ]);
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
      const success = isCreating(operationId) ? '201' : '200';
      expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toEqual([success]);
      for (const [status, declared] of Object.entries(responses)) {
        // what is not modified has no codes
        if (status === success || status === '304') continue;
        const response = declared.$ref
          ? (document.components.responses[nameIn(declared.$ref)] as DeclaredResponse)
          : declared;
        const codes = [...response.description.matchAll(/`([A-Z_]+)`:/g)].map(
          (match) => match[1] as keyof typeof errorStatus,
        );
        expect(codes.length).toBeGreaterThan(0);
        for (const code of codes) expect(errorStatus[code]).toBe(Number(status));
        const schema = response.content?.['application/problem+json']?.schema;
        const typed = (schema?.anyOf ?? [schema]).map((each) => document.components.schemas[nameIn(each?.$ref ?? '')]);
        expect(typed.map(codeIn)).toEqual(codes);
      }
    }
  });
});

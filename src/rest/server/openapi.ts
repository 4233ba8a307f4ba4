import { z } from 'zod';
import { type ErrorCode, errorStatus, errorTitle } from '../../kernel/errors.ts';
import { idempotencyKeyDoc, takesKey } from './idempotency.ts';
import type { ParameterDoc, Route } from './route.ts';
import { ifNoneMatchDoc, sharedHeaderDocs } from './shared-response.docs.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, generated from the routes. */
export function openapiDocument(routes: readonly Route[], serverUrl: string): Json {
  const schemas: Json = { Problem: problem };
  const responses: Json = {};
  const paths: Record<string, Json> = {};
  for (const each of routes) {
    const operations = paths[each.path] ?? {};
    operations[each.method] = operation(each, schemas, responses);
    paths[each.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Events Gateway',
      version: '1.0.0',
      description: 'Events and their subscribers: the same data as the GraphQL API at `/graphql`, with the same rules.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.map((each) => each.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

const problem = {
  type: 'object',
  description: 'RFC 9457. Clients switch on `code`.',
  required: ['type', 'title', 'status', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer (RFC 6901) to the invalid value.' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};

function operation(each: Route, schemas: Json, shared: Json): Json {
  const path = [...each.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: each.operationId,
    summary: each.summary,
    tags: [each.tag],
    security: each.access === 'none' || each.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...path,
      ...(each.access === 'organization' || each.access === 'public' ? [organizationHeader] : []),
      ...(each.parameters ?? []),
      ...(each.cached && each.method === 'get' ? [ifNoneMatchDoc] : []),
      ...(takesKey(each) ? [idempotencyKeyDoc] : []),
    ],
    ...(each.body ? { requestBody: requestBody(schemaOf(each.body, 'input', schemas), each.example?.request) } : {}),
    responses: {
      [each.created ? 201 : 200]: {
        description: each.created ? 'Created' : 'OK',
        ...headersOf(each),
        content: each.content ?? {
          'application/json': {
            schema: schemaOf(each.response, 'output', schemas),
            ...exampleOf(each.example?.response),
          },
        },
      },
      ...(each.cached && each.method === 'get' ? { 304: { description: 'Not modified; no body.' } } : {}),
      ...refusals(each, shared),
    },
  };
}

function headersOf({ created, cached, headers }: Route): Json {
  const location = { Location: { description: 'The path of the created resource.', schema: { type: 'string' } } };
  const all = { ...headers, ...(created ? location : {}), ...(cached ? sharedHeaderDocs : {}) };
  return Object.keys(all).length > 0 ? { headers: all } : {};
}

/** An absent body counts as `{}`, so it is required only if one of its fields is. */
function requestBody(schema: Json, example: unknown): Json {
  const content = { 'application/json': { schema, ...exampleOf(example) } };
  return { required: Array.isArray(schema.required), content };
}

function exampleOf(example: unknown): Json {
  return example === undefined ? {} : { example };
}

const organizationHeader: ParameterDoc = {
  name: 'x-organization-id',
  in: 'header',
  required: true,
  description: 'The organization that the request is scoped to.',
  schema: { type: 'string', format: 'uuid' },
};

/** All error codes of an operation, declared and implied. */
function routeErrors(each: Route): ErrorCode[] {
  const implied: ErrorCode[] = [
    'VALIDATION_ERROR',
    'METHOD_NOT_ALLOWED',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
    'INTERNAL_SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  if (each.method !== 'get') implied.push('UNSUPPORTED_MEDIA_TYPE', 'INVALID_JSON');
  if (each.access === 'user' || each.access === 'organization') implied.push('INVALID_TOKEN');
  if (each.access === 'public' || each.access === 'organization')
    implied.push('ORGANIZATION_REQUIRED', 'ORGANIZATION_FORBIDDEN');
  if (each.role) implied.push('FORBIDDEN');
  if (takesKey(each)) implied.push('CONFLICT', 'IDEMPOTENCY_MISMATCH', 'INVALID_QUERY', 'VALIDATION_ERROR');
  return [...new Set([...implied, ...each.errors])].sort((a, b) => errorStatus[a] - errorStatus[b] || (a < b ? -1 : 1));
}

/** The error responses of an operation. Responses with the same codes are shared, and named after the status and the codes. */
function refusals(each: Route, shared: Json): Json {
  const byStatus = Map.groupBy(routeErrors(each), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = [status, ...codes].join('.');
      shared[name] ??= refusal(codes);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function refusal(codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTitle[code]}`).join(' '),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] },
      },
    },
  };
}

/** The JSON Schema of a zod schema; named schemas become references to `components`. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // only GraphQL needs the noun of an id
      delete jsonSchema.noun;
      if (jsonSchema.names) jsonSchema.description += ` ${numbersIn(jsonSchema)}`;
      delete jsonSchema.names;
      // zod declares the literals of a status as numbers, for which client generators would use floats
      if (jsonSchema.enum?.every(Number.isInteger)) jsonSchema.type = 'integer';
    },
  }) as Json;
  const definitions = ($defs ?? {}) as Record<string, Json>;
  for (const [name, definition] of Object.entries(definitions))
    schemas[name] = relink({ ...definition, id: undefined });
  const name = schema.meta()?.id;
  if (typeof name !== 'string') return relink(root);
  schemas[name] ??= relink({ ...root, id: undefined });
  return { $ref: `#/components/schemas/${name}` };
}

/** The meaning of the numbers of a status; GraphQL has an enum instead. */
function numbersIn({ names, enum: members }: { names?: unknown; enum?: unknown[] }): string {
  const meanings = Object.entries(names as Record<string, number>)
    .filter(([, number]) => members?.includes(number) ?? true)
    .map(([name, number]) => `\`${number}\` is ${name.toLowerCase()}`);
  return `${meanings.join(', ')}.`;
}

function relink(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

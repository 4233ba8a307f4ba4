import { z } from 'zod';
import { type ErrorCode, errorStatus, errorTitle } from '../domain/errors.ts';
import type { ParameterDoc, Route } from './route.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, made from the very routes that serve. */
export function openapiDocument(routes: readonly Route[], serverUrl: string): Json {
  const schemas: Json = { Problem: problem };
  const paths: Record<string, Json> = {};
  for (const each of routes) {
    const operations = paths[each.path] ?? {};
    operations[each.method] = operation(each, schemas);
    paths[each.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Events Gateway',
      version: '1.0.0',
      description:
        'Events and their subscribers. The same data as the GraphQL schema at `/graphql`, by the same rules.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.map((each) => each.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
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
          pointer: { type: 'string', description: 'JSON pointer (RFC 6901) to the value at fault.' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};

function operation(each: Route, schemas: Json): Json {
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
    security: each.access === 'none' ? [] : [{ bearer: [] }],
    parameters: [...path, ...(each.access === 'organization' ? [organizationHeader] : []), ...(each.parameters ?? [])],
    ...(each.body ? { requestBody: requestBody(schemaOf(each.body, 'input', schemas)) } : {}),
    responses: {
      200: {
        description: 'OK',
        ...(each.headers ? { headers: each.headers } : {}),
        content: { 'application/json': { schema: schemaOf(each.response, 'output', schemas) } },
      },
      ...refusals(each),
    },
  };
}

/** An absent body reads as `{}`, so one is required only where a field of it is. */
function requestBody(schema: Json): Json {
  return { required: Array.isArray(schema.required), content: { 'application/json': { schema } } };
}

const organizationHeader: ParameterDoc = {
  name: 'x-organization-id',
  in: 'header',
  required: true,
  description: 'The organization that the request is scoped to.',
  schema: { type: 'string', format: 'uuid' },
};

/** Every status that an operation can answer, with its codes (decisions §7). */
export function routeErrors(each: Route): ErrorCode[] {
  const implied: ErrorCode[] = ['METHOD_NOT_ALLOWED', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'];
  if (each.method !== 'get') implied.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_JSON');
  if (each.body) implied.push('VALIDATION_ERROR');
  if (each.access !== 'none') implied.push('INVALID_TOKEN');
  if (each.access === 'organization') implied.push('ORGANIZATION_REQUIRED', 'ORGANIZATION_FORBIDDEN');
  if (each.role) implied.push('FORBIDDEN');
  return [...new Set([...implied, ...each.errors])].sort((a, b) => errorStatus[a] - errorStatus[b] || (a < b ? -1 : 1));
}

function refusals(each: Route): Json {
  const byStatus = Map.groupBy(routeErrors(each), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorTitle[code]}`).join(' '),
        content: {
          'application/problem+json': {
            schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] },
          },
        },
      },
    ]),
  );
}

/** The JSON Schema of a zod schema, in which the named ones are references to `components`. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  }) as Json;
  const definitions = ($defs ?? {}) as Record<string, Json>;
  for (const [name, definition] of Object.entries(definitions))
    schemas[name] = relink({ ...definition, id: undefined });
  const name = schema.meta()?.id;
  if (typeof name !== 'string') return relink(root);
  schemas[name] ??= relink({ ...root, id: undefined });
  return { $ref: `#/components/schemas/${name}` };
}

function relink(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

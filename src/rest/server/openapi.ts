import { z } from 'zod';
import { type ErrorCode, errorStatus, errorTitle } from '../../kernel/errors.ts';
import { codeSamples } from './code-samples.ts';
import { idempotencyKeyDoc, takesKey } from './idempotency.ts';
import { deprecationDocs } from './list.schema.ts';
import { type RecordedExample, readRecordedExamples } from './recorded-examples.ts';
import { endingOf, type GraphqlTwins, type HeaderDoc, isOfAccount, type ParameterDoc, type Route } from './route.ts';

import { ifNoneMatchDoc, sharedHeaderDocs } from './shared-response.docs.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, generated from the routes. Each operation names the GraphQL fields that do the same. */
export function openapiDocument(routes: readonly Route[], serverUrl: string, twins: GraphqlTwins): Json {
  const schemas: Json = { Problem: problem };
  const responses: Json = {};
  const paths: Record<string, Json> = {};
  const examples = readRecordedExamples();
  for (const each of routes) {
    const operations = paths[each.path] ?? {};
    const example = examples[each.operationId];
    operations[each.method] = {
      ...operation(each, example, schemas, responses),
      ...twinsOf(each, twins[each.operationId] ?? []),
      ...(example && { 'x-codeSamples': codeSamples(each, example, serverUrl) }),
    };
    paths[each.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Events Gateway',
      version: '1.0.0',
      description:
        'Events and their subscribers: the same data as the GraphQL API at `/graphql`, with the same rules.\n\n' +
        'The examples are of the demo organization. In the lines of curl, `$TOKEN` is an access token or the secret of an API key; in JavaScript, `client` is what `createClient` of `events-gateway-client` made, signed in.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.map((each) => each.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: budgetHeaders,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token (a JWT), or the secret of an API key (`evk_…`).',
        },
      },
    },
  };
}

const problem = {
  type: 'object',
  description: 'RFC 9457. Clients switch on `code`.',
  required: ['type', 'title', 'status', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'The address of a page about the code.' },
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

/** Why GraphQL lacks an operation (interface/graphql.md#only-in-rest). */
function whyAlone({ operationId, tag }: Route): string {
  if (tag === 'guests') return 'guests have no access token, only the link in their mail';
  if (tag === 'calendars') return 'it serves files for calendar programs';
  if (operationId.startsWith('export')) return 'it sends a file';
  return 'it is needed before there is an access token, or concerns the cookie, which belongs to `/auth`';
}

function twinsOf(route: Route, fields: readonly string[]): Json {
  const named = fields.map((each) => `\`${each}\``).join(', ');
  return {
    description: fields.length === 0 ? `Only in REST: ${whyAlone(route)}.` : `In GraphQL: ${named}.`,
    'x-graphql': fields,
  };
}

function operation(each: Route, example: RecordedExample | undefined, schemas: Json, shared: Json): Json {
  const path = [...each.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    ...exampleOf(example?.path?.[name]),
  }));
  const ending = endingOf(each);
  return {
    operationId: each.operationId,
    summary: each.summary,
    tags: [each.tag],
    ...(ending && deprecationDocs(ending)),
    security: each.access === 'none' || each.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...path,
      ...(each.access === 'organization' ? [organizationHeader] : []),
      ...(each.access === 'public' ? [publicOrganizationHeader] : []),
      ...(each.parameters ?? []),
      ...(each.cached && each.method === 'get' ? [ifNoneMatchDoc] : []),
      ...(takesKey(each) ? [idempotencyKeyDoc] : []),
    ],
    ...(each.body ? { requestBody: requestBody(schemaOf(each.body, 'input', schemas), example?.body) } : {}),
    responses: {
      [each.created ? 201 : 200]: {
        description: each.created ? 'Created' : 'OK',
        ...headersOf(each),
        content: contentOf(each, example, schemas),
      },
      ...(each.cached && each.method === 'get' ? { 304: { description: 'Not modified; no body.' } } : {}),
      ...refusals(each, shared),
    },
  };
}

/** The example belongs to the first media type: that is what comes unless the request asks for another. */
function contentOf({ content, response, further }: Route, example: RecordedExample | undefined, schemas: Json): Json {
  const own = content ?? { 'application/json': { schema: schemaOf(response, 'output', schemas) }, ...further };
  return Object.fromEntries(
    Object.entries(own).map(([type, each], index) => [
      type,
      index === 0 ? { ...(each as Json), ...exampleOf(example?.response) } : each,
    ]),
  );
}

function headersOf({ created, cached, headers, errors }: Route): Json {
  const location = { Location: { description: 'The path of the created resource.', schema: { type: 'string' } } };
  const all = { ...headers, ...(created ? location : {}), ...(cached ? sharedHeaderDocs : {}) };
  if (errors.includes('RATE_LIMITED')) Object.assign(all, budgetDocs);
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
  description: 'The organization that the request is scoped to. Required, except with an API key, which knows its own.',
  schema: { type: 'string', format: 'uuid' },
};

const publicOrganizationHeader: ParameterDoc = {
  ...organizationHeader,
  required: true,
  description: 'The organization whose public data are read.',
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
  const isSignedIn = each.access === 'user' || each.access === 'organization';
  if (isSignedIn || isOfAccount(each)) implied.push('INVALID_TOKEN');
  if (each.access === 'public' || each.access === 'organization')
    implied.push('ORGANIZATION_REQUIRED', 'ORGANIZATION_FORBIDDEN');
  const isWrite = each.access !== 'public' && each.checked !== undefined;
  // what an API key may not do
  if (each.role || isOfAccount(each) || isWrite) implied.push('FORBIDDEN');
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

/** The codes that come with `Retry-After`; a conflict does if a request with the same key is still running. */
const passing: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'CONFLICT'];

const retryAfterDoc: HeaderDoc = {
  description: 'The seconds after which a retry may succeed; only if waiting helps.',
  schema: { type: 'integer', minimum: 1 },
};

/** What is left of the limits that a request was counted under; absent if it was counted under none. */
const budgetHeaders: Record<string, HeaderDoc> = {
  'RateLimit-Policy': {
    description: 'The limits that the request was counted under: how many (`q`) in how many seconds (`w`).',
    schema: { type: 'string', examples: ['"write";q=300;w=60'] },
  },
  RateLimit: {
    description: 'What is left of them (`r`), and the seconds until they begin anew (`t`).',
    schema: { type: 'string', examples: ['"write";r=299;t=60'] },
  },
};

const budgetDocs = Object.fromEntries(
  Object.keys(budgetHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function refusal(codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTitle[code]}`).join(' '),
    ...(codes.some((code) => passing.includes(code)) ? { headers: passingHeaders(codes) } : {}),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] },
      },
    },
  };
}

function passingHeaders(codes: readonly ErrorCode[]): Json {
  return { 'Retry-After': retryAfterDoc, ...(codes.includes('RATE_LIMITED') ? budgetDocs : {}) };
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

import { z } from 'zod';
import { version } from '../../kernel/version.ts';
import { codeSamples } from './code-samples.ts';
import { idempotencyKeyDoc, takesKey } from './idempotency.ts';
import { deprecationDocs } from './list.schema.ts';
import { budgetDocs, budgetHeaders, problemSchemas, refusals } from './openapi.errors.ts';
import {
  ifNoneMatchDoc,
  organizationHeader,
  publicOrganizationHeader,
  sharedHeaderDocs,
  webhookHeaders,
} from './openapi.headers.ts';
import { type RecordedExample, readRecordedExamples } from './recorded-examples.ts';
import { endingOf, type GraphqlTwins, type Route } from './route.ts';

type Json = Record<string, unknown>;

export interface WebhookMessage {
  name: string;
  operationId: string;
  summary: string;
  schema: z.ZodType;
  example: unknown;
}

export function openapiDocument(
  routes: readonly Route[],
  serverUrl: string,
  twins: GraphqlTwins,
  messages: readonly WebhookMessage[] = [],
): Json {
  const schemas: Json = { ...problemSchemas };
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
      version,
      description:
        'Events and their subscribers: the same data as the GraphQL API at `/graphql`, with the same rules.\n\n' +
        'The examples are of the demo organization. In the lines of curl, `$TOKEN` is an access token or the secret of an API key; in JavaScript, `client` is what `createClient` of `events-gateway-client` made, signed in.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.map((each) => each.tag))].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(messages.map((each) => [each.name, { post: webhook(each, schemas) }])),
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
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'token',
          description: 'The signed refresh token, as set by `Set-Cookie`; a browser sends it itself.',
        },
      },
    },
  };
}

/** Why GraphQL lacks an operation (reference/graphql.md#only-in-rest). */
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
  const parameters: object[] = [
    ...path,
    ...(each.access === 'organization' ? [organizationHeader] : []),
    ...(each.access === 'public' ? [publicOrganizationHeader] : []),
    ...(each.parameters ?? []),
    ...(each.cached && each.method === 'get' ? [ifNoneMatchDoc] : []),
    ...(takesKey(each) ? [idempotencyKeyDoc] : []),
  ];
  const ending = endingOf(each);
  return {
    operationId: each.operationId,
    summary: each.summary,
    tags: [each.tag],
    ...(ending && deprecationDocs(ending)),
    security: securityOf(each),
    parameters,
    ...(each.body
      ? { requestBody: requestBody(schemaOf(each.body, 'input', schemas, bodyName(each)), example?.body) }
      : {}),
    responses: {
      [each.created ? 201 : 200]: {
        description: descriptionOf(each),
        ...headersOf(each),
        ...(each.further && { 'x-other-content': each.further }),
        content: contentOf(each, example, schemas),
      },
      ...(parameters.includes(ifNoneMatchDoc) ? { 304: { description: 'Not modified; no body.' } } : {}),
      ...refusals(each, shared),
    },
  };
}

function securityOf({ access, cookie }: Route): Record<string, never[]>[] {
  if (cookie) return cookie === 'required' ? [{ cookie: [] }] : [{ cookie: [] }, { bearer: [] }, {}];
  return access === 'none' || access === 'public' ? [] : [{ bearer: [] }];
}

/** `CreateEvent`, for a body without a name. */
const bodyName = ({ operationId }: Route) => operationId.charAt(0).toUpperCase() + operationId.slice(1);

function descriptionOf({ created, further }: Route): string {
  if (created) return 'Created';
  const types = Object.keys(further ?? {}).map((type) => `\`${type}\``);
  return types.length > 0 ? `OK. With \`Accept\`: ${types.join(', ')} (see \`x-other-content\`).` : 'OK';
}

function webhook({ operationId, summary, schema, example }: WebhookMessage, schemas: Json): Json {
  return {
    operationId,
    summary,
    tags: ['webhooks'],
    security: [],
    parameters: webhookHeaders,
    requestBody: requestBody(schemaOf(schema, 'output', schemas), example),
    responses: {
      '2XX': { description: 'Received. After any other response, or none within 15 seconds, the delivery is retried.' },
    },
  };
}

/** The example belongs to the first media type. */
function contentOf({ content, response }: Route, example: RecordedExample | undefined, schemas: Json): Json {
  const own = content ?? { 'application/json': { schema: schemaOf(response, 'output', schemas) } };
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

/** Named schemas become references to `components`. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json, fallback?: string): Json {
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
      // openapi-typescript takes a field with a default for one that has to be sent
      if (io === 'input' && 'default' in jsonSchema) {
        jsonSchema.description =
          `${jsonSchema.description ?? ''} If absent: \`${JSON.stringify(jsonSchema.default)}\`.`.trim();
        delete jsonSchema.default;
      }
      // JavaScript's bounds are not the value's
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Json;
  const definitions = ($defs ?? {}) as Record<string, Json>;
  for (const [name, definition] of Object.entries(definitions))
    schemas[name] = relink({ ...definition, id: undefined });
  const name = schema.meta()?.id ?? fallback;
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

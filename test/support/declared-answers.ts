import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { printedOpenapi } from '../../src/commands/printed-openapi.ts';
import { failTestsOn } from './verdicts.ts';

type Json = Record<string, unknown>;

interface Operation {
  operationId: string;
  method: string;
  path: RegExp;
  responses: Record<string, DeclaredResponse | { $ref: string }>;
}

interface DeclaredResponse {
  content?: Record<string, { schema: Json }>;
  'x-other-content'?: Record<string, { schema: Json }>;
}

/** An answer as it is sent. */
export interface SentAnswer {
  method: string;
  /** Path and query. */
  target: string;
  status: number;
  contentType: string;
  /** Null if the method has none. */
  body: string | null;
}

/** Ports of the services whose answers are checked; a test has other servers in its process, too. */
const watched = new Set<number>();
const violations: string[] = [];
subscribe('http.server.request.start', listen);
failTestsOn(takeViolations);

/**
 * From now on an answer of the service that `openapi.json` does not declare fails the test in which it is sent; the
 * function that is returned ends that.
 */
export function watchAnswers(url: string): () => void {
  const port = Number(new URL(url).port);
  watched.add(port);
  return () => void watched.delete(port);
}

/** What was found since the last call. */
export function takeViolations(): string[] {
  return violations.splice(0);
}

/** Reads what an answer writes, and checks it before its end goes out: the test that gets it is not over yet. */
function listen(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (!watched.has(Number(request.socket.localPort))) return;
  const chunks: Buffer[] = [];
  const { write, end } = response;
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  response.write = (...args: unknown[]) => {
    keep(args[0]);
    return Reflect.apply(write, response, args);
  };
  response.end = (...args: unknown[]) => {
    keep(args[0]);
    const method = String(request.method);
    violations.push(
      ...faultsOf({
        method: method === 'HEAD' ? 'GET' : method,
        target: String(request.url),
        status: response.statusCode,
        contentType: String(response.getHeader('content-type') ?? ''),
        body: method === 'HEAD' ? null : Buffer.concat(chunks).toString(),
      }),
    );
    return Reflect.apply(end, response, args);
  };
}

/** Everything in an answer that the document does not declare; nothing if it declares no such operation. */
export function faultsOf(answer: SentAnswer): string[] {
  const { method, target, status, contentType, body } = answer;
  // a target that is no URL names no operation
  const { pathname, searchParams } = URL.parse(target, 'http://localhost') ?? new URL('http://localhost');
  const operation = declared().operations.find((each) => each.method === method && each.path.test(pathname));
  const name = operation
    ? `${operation.operationId} (${method} ${pathname}) ${status}`
    : `${method} ${pathname} ${status}`;
  const mediaType = contentType.split(';', 1)[0] as string;
  if (!operation) {
    return mediaType === 'application/problem+json' ? schemaFaults(name, problem, body) : [];
  }
  const response = responseTo(operation, status);
  if (!response) return [`${name}: the status is not declared; ${body}`];
  if (!response.content) return body ? [`${name}: a body is not declared`] : [];
  const schema = (response.content[mediaType] ?? response['x-other-content']?.[mediaType])?.schema;
  if (!schema) return [`${name}: the content type '${contentType}' is not declared`];
  // of a file its declaration says no more
  if (!/[/+]json$/.test(mediaType)) return [];
  return schemaFaults(name, isNarrowed(operation, searchParams) ? narrowed(schema) : schema, body);
}

/** What an operation answers with a status, by itself or as one of the responses that several share. */
function responseTo({ responses }: Operation, status: number): DeclaredResponse | undefined {
  const response = responses[status];
  if (!response || !('$ref' in response)) return response;
  return declared().shared[response.$ref.replace('#/components/responses/', '')];
}

const problem = { $ref: '#/components/schemas/Problem' };

/** Whether the request may leave fields out; the body of a query says so, which is not read again here. */
function isNarrowed({ path }: Operation, parameters: URLSearchParams): boolean {
  return parameters.has('fields') || path.source.endsWith('query$');
}

function schemaFaults(name: string, schema: Json, body: string | null): string[] {
  if (body === null) return [];
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [`${name}: the body is not JSON`];
  }
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name} ${instancePath || '/'}: ${message} ${JSON.stringify(params)}`,
  );
}

interface Declared {
  operations: Operation[];
  schemas: Record<string, Json>;
  shared: Record<string, DeclaredResponse>;
  ajv: Ajv2020;
}

let read: Declared | undefined;

/** What the document declares; read when the first answer is checked. */
function declared(): Declared {
  if (read) return read;
  const { paths, components } = JSON.parse(printedOpenapi()) as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
    components: { schemas: Record<string, Json>; responses: Record<string, DeclaredResponse> };
  };
  const operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  // a path without parameters comes before one that has them
  operations.sort((a, b) => a.path.source.split('[').length - b.path.source.split('[').length);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ components }, 'document');
  read = { operations, schemas: components.schemas, shared: components.responses, ajv };
  return read;
}

/** The schema of a resource, or of a list of it, that requires none of its fields, as the document says of `fields`. */
function narrowed({ $ref, ...schema }: Json): Json {
  const named = $ref ? (declared().schemas[String($ref).split('/').at(-1) as string] as Json) : schema;
  const { items, ...properties } = (named.properties ?? {}) as Record<string, { items: Json }>;
  if (!items) return { ...named, required: [] };
  return { ...named, properties: { ...properties, items: { ...items, items: narrowed(items.items) } } };
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const known = validators.get(text);
  if (known) return known;
  const validate = declared().ajv.compile(JSON.parse(text) as Json);
  validators.set(text, validate);
  return validate;
}

import { expect } from 'vitest';

/** Who asks; nobody where it is left out. */
export interface Caller {
  accessToken?: string;
  organizationId?: string;
}

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** A page of a list. */
export interface Page<Item = Record<string, unknown>> {
  items: Item[];
  length: number;
  has_more: boolean;
  next: string | null;
  prev: string | null;
}

/** One request with the headers of the caller; a body goes out as JSON. The body of an answer that is no JSON is null. */
export async function send<Body = Record<string, unknown>>(
  server: { url: string },
  caller: Caller,
  request: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const space = request.indexOf(' ');
  const response = await fetch(`${server.url}${request.slice(space + 1)}`, {
    method: request.slice(0, space),
    headers: {
      ...callerHeaders(caller),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return await answerOf(response);
}

/** Reads a response to the end. */
export async function answerOf<Body = Record<string, unknown>>(response: Response): Promise<Answer<Body>> {
  const text = await response.text();
  const isJson = text !== '' && /[/+]json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : null) as Body };
}

/** An answer but for its time and its id, which differ from request to request. */
export function withoutId({ status, headers, text }: Answer<unknown>) {
  const sent = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status, headers: sent, text: text.replaceAll(headers.get('x-request-id') as string, 'the id') };
}

/**
 * Checks that an answer is the problem of a code, with issues at these pointers, in any order, if they are given; its text without
 * what differs from request to request.
 */
export function expectCode(
  answer: Answer<unknown>,
  status: number,
  code: string,
  pointers?: readonly string[],
): string {
  expect({ status: answer.status, text: answer.text }).toMatchObject({
    status,
    text: expect.stringContaining(`"code":"${code}"`),
  });
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const { request_id: requestId } = JSON.parse(answer.text) as { request_id: string };
  expect(requestId).toBe(answer.headers.get('x-request-id'));
  if (pointers) expect(pointersOf(answer).sort()).toEqual([...pointers].sort());
  return answer.text.replace(requestId, '');
}

/** What an answer refuses with: a code, and the pointers of its issues; no code if it does not. */
export interface Refusal {
  code: string | null;
  pointers: string[];
}

/** How either API refuses a request. */
export function refusalOf(answer: Answer<unknown> | GraphqlAnswer): Refusal {
  const problem = 'body' in answer ? answer.status >= 400 && answer.body : answer.errors?.[0]?.extensions;
  const { code = null, errors = [] } = (problem || {}) as { code?: string; errors?: { pointer: string }[] };
  return { code, pointers: errors.map(({ pointer }) => pointer) };
}

/** The pointers of the issues of a refusal. */
export function pointersOf(answer: Answer<unknown>): string[] {
  const { errors = [] } = answer.body as { errors?: { pointer: string }[] };
  return errors.map(({ pointer }) => pointer);
}

/** The statuses of so many requests that are sent at once, in ascending order. */
export async function statusesOf(
  count: number,
  ask: (index: number) => Promise<{ status: number }>,
): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
  return answers.map(({ status }) => status).sort();
}

/** What the audit trail shows an owner of what a filter finds, oldest first. */
export async function trailOf<Entry = Record<string, unknown>>(
  server: { url: string },
  owner: Caller,
  where: object,
): Promise<Entry[]> {
  const answer = await send<{ items: Entry[] }>(server, owner, 'POST /audit/query', { where });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items;
}

export interface GraphqlError {
  message: string;
  path?: (string | number)[];
  extensions: {
    code: string;
    type: string;
    request_id: string;
    retry_after?: number;
    errors?: { pointer: string; code: string; detail: string }[];
  };
}

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  text: string;
  // what a test selects is known to the test alone
  data: Record<string, never> | null | undefined;
  errors: GraphqlError[] | undefined;
  extensions: { cost?: number } | undefined;
}

/** Posts one operation, with the headers of the caller. */
export async function graphql(
  server: { url: string },
  caller: Caller,
  query: string,
  variables?: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<GraphqlAnswer> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...callerHeaders(caller), ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return await readAnswer(response);
}

export function callerHeaders({ accessToken, organizationId }: Caller): Record<string, string> {
  return {
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    ...(organizationId === undefined ? {} : { 'x-organization-id': organizationId }),
  };
}

/** Every answer of the path is a GraphQL response, whatever its status. */
export async function readAnswer(response: Response): Promise<GraphqlAnswer> {
  const text = await response.text();
  const body = JSON.parse(text) as Pick<GraphqlAnswer, 'data' | 'errors' | 'extensions'>;
  return {
    status: response.status,
    headers: response.headers,
    text,
    data: body.data,
    errors: body.errors,
    extensions: body.extensions,
  };
}

/** The data of an operation that must not fail, in any shape that the test says it has. */
export async function query<Data>(
  server: { url: string },
  caller: Caller,
  document: string,
  variables?: Record<string, unknown>,
): Promise<Data> {
  const answer = await graphql(server, caller, document, variables);
  expect(answer.errors, answer.text).toBeUndefined();
  expect(answer.status).toBe(200);
  return answer.data as Data;
}

/** Checks that an operation is refused with a code, and gives its first error. */
export function expectRefusal(answer: GraphqlAnswer, status: number, code: string): GraphqlError {
  const [first] = answer.errors ?? [];
  expect({ status: answer.status, code: first?.extensions.code, text: answer.text }).toMatchObject({ status, code });
  expect(answer.data ?? null).toBeNull();
  expect(first?.extensions.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.text).not.toContain('"http"');
  return first as GraphqlError;
}

/** The Relay global id of a row. */
export function globalId(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

import { expect } from 'vitest';
import type { TestServer } from './server.ts';

/** Who asks; nobody where it is left out. */
export interface Caller {
  accessToken?: string;
  organizationId?: string;
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
  server: Pick<TestServer, 'url'>,
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
  server: Pick<TestServer, 'url'>,
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

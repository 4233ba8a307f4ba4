import type { components } from './rest-types.ts';

/** The body of an error of REST (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** Every code of REST and GraphQL, and three of the client itself. */
export type ErrorCode =
  | Problem['code']
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_ONLY'
  /** No response: the network, or the service, is down. */
  | 'UNREACHABLE'
  /** A response that is not the service's, as from a proxy. */
  | 'UNREADABLE'
  /** The client cancelled the request: the organization was switched, or the user signed out. */
  | 'CANCELLED';

/** What is wrong in the input; `pointer` is a JSON pointer to it. */
export type Issue = components['schemas']['Issue'];

/** Which request failed. */
export interface Asked {
  operation?: string | undefined;
  path?: string | undefined;
}

interface Occurrence extends Asked {
  code: ErrorCode;
  message: string;
  status: number;
  type?: string | undefined;
  requestId?: string | undefined;
  issues?: readonly Issue[] | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The service's error, the same for both APIs. Switch on `code`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The HTTP status; 0 if there was no response (`UNREACHABLE`, `CANCELLED`). */
  readonly status: number;
  /** The operation of REST, such as `PATCH /events/{event}`, or the name of the GraphQL operation. */
  readonly operation: string | undefined;
  /** The path of the address in REST; in GraphQL the field that failed, such as `updateEvent`. */
  readonly path: string | undefined;
  /** The address of a page about the code. */
  readonly type: string | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** What is wrong in the input. */
  readonly issues: readonly Issue[];
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor({ message, cause, issues = [], ...rest }: Occurrence) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = rest.code;
    this.status = rest.status;
    this.operation = rest.operation;
    this.path = rest.path;
    this.type = rest.type;
    this.requestId = rest.requestId;
    this.issues = issues;
    this.retryAfter = rest.retryAfter;
  }

  /** JSON pointers to what is wrong in the input, such as `/name` or `/answers/dish`. */
  get pointers(): string[] {
    return this.issues.map(({ pointer }) => pointer);
  }
}

/** The error of a response that is not a success. */
export async function errorOf(response: Response, asked: Asked = {}): Promise<ApiError> {
  const { status } = response;
  const retryAfter = retryAfterOf(response);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body = await response.json().catch(() => null);
  const [first] = body?.errors ?? [];
  if (first?.extensions?.code) return graphqlError(first, status, asked);
  if (typeof body?.code !== 'string') {
    const message = `The response is ${status}.`;
    return new ApiError({ code: 'UNREADABLE', message, status, requestId, retryAfter, ...asked });
  }
  const { code, type, detail, title, request_id, errors: issues } = body as Problem;
  const message = detail ?? title;
  return new ApiError({ code, type, message, status, requestId: request_id, issues, retryAfter, ...asked });
}

/** An entry of `errors` in a response of GraphQL. */
export interface GraphqlError {
  message: string;
  path?: readonly (string | number)[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

export function graphqlError(error: GraphqlError, status = 200, asked: Asked = {}, cause?: unknown): ApiError {
  const {
    code = 'UNREADABLE',
    type,
    request_id,
    errors,
    retry_after,
  } = (error.extensions ?? {}) as {
    code?: ErrorCode;
    type?: string;
    request_id?: string;
    errors?: Issue[];
    retry_after?: number;
  };
  return new ApiError({
    code,
    type,
    message: error.message,
    status,
    operation: asked.operation,
    path: error.path?.join('.'),
    requestId: request_id,
    issues: errors,
    retryAfter: retry_after,
    cause,
  });
}

/**
 * The service's error in what a library throws: Apollo's `CombinedGraphQLErrors`, urql's `CombinedError`, or what Relay
 * gives to `onError`.
 *
 * @returns undefined for an error that is not the service's
 */
export function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (typeof error !== 'object' || error === null) return undefined;
  const { graphQLErrors, errors, networkError, cause } = error as {
    graphQLErrors?: GraphqlError[];
    errors?: GraphqlError[];
    networkError?: unknown;
    cause?: unknown;
  };
  const [first] = [...(graphQLErrors ?? []), ...(errors ?? [])];
  if (first?.extensions?.code) return graphqlError(first, 200, {}, error);
  return apiErrorOf(networkError ?? cause);
}

/** The seconds of `Retry-After`; undefined without one. The service never sends a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds : undefined;
}

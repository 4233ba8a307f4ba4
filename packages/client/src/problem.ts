import type { components } from './rest-types.ts';

/** The body of an error of REST (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** Every code of REST and GraphQL, and two of the client itself. */
export type ErrorCode =
  | Problem['code']
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_ONLY'
  | 'UNREACHABLE'
  | 'UNREADABLE';

/** What is wrong in the input; `pointer` is a JSON pointer to it. */
export type Issue = components['schemas']['Issue'];

interface Occurrence {
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
  /** The HTTP status; 0 if there was no answer (`UNREACHABLE`). */
  readonly status: number;
  /** The address of a page about the code. */
  readonly type: string | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  readonly issues: readonly Issue[];
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor({ message, cause, issues = [], ...rest }: Occurrence) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = rest.code;
    this.status = rest.status;
    this.type = rest.type;
    this.requestId = rest.requestId;
    this.issues = issues;
    this.retryAfter = rest.retryAfter;
  }

  /** The pointer of the first issue, for a form with one field that is wrong. */
  get pointer(): string | undefined {
    return this.issues[0]?.pointer;
  }
}

/** What a response that is not a success says. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const retryAfter = retryAfterOf(response);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body = await response.json().catch(() => null);
  const [first] = body?.errors ?? [];
  if (first?.extensions?.code) return graphqlError(first, status);
  if (typeof body?.code !== 'string') {
    // a proxy's, not the service's
    return new ApiError({ code: 'UNREADABLE', message: `The answer is ${status}.`, status, requestId, retryAfter });
  }
  const { code, type, detail, title, request_id, errors } = body as Problem;
  return new ApiError({
    code,
    type,
    message: detail ?? title,
    status,
    requestId: request_id,
    issues: errors,
    retryAfter,
  });
}

/** An entry of `errors` in an answer of GraphQL. */
export interface GraphqlError {
  message: string;
  path?: readonly (string | number)[];
  extensions: { code: ErrorCode; type: string; request_id: string; errors?: Issue[]; retry_after?: number };
}

export function graphqlError({ message, extensions }: GraphqlError, status: number, cause?: unknown): ApiError {
  const { code, type, request_id: requestId, errors: issues, retry_after: retryAfter } = extensions;
  return new ApiError({ code, type, message, status, requestId, issues, retryAfter, cause });
}

/** The seconds of `Retry-After`; undefined without one. The service never sends a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds : undefined;
}

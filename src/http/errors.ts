import type { DomainError, ErrorCode } from '../kernel/errors.ts';

/** See reference/errors.md#codes. */
export const errorStatus = {
  INVALID_CREDENTIALS: 400,
  INVALID_QUERY: 400,
  INVALID_CURSOR: 400,
  INVALID_JSON: 400,
  VALIDATION_ERROR: 400,
  WEAK_PASSWORD: 400,
  ORGANIZATION_REQUIRED: 400,
  INVALID_RESET_TOKEN: 400,
  INVALID_VERIFICATION_TOKEN: 400,
  INVALID_INVITATION_TOKEN: 400,
  INVALID_TOKEN: 401,
  TOKEN_NOT_FOUND: 401,
  USER_NOT_VERIFIED: 401,
  FORBIDDEN: 403,
  ORGANIZATION_FORBIDDEN: 403,
  CROSS_SITE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INVALID_TRANSITION: 409,
  EVENT_FULL: 409,
  REGISTRATION_CLOSED: 409,
  SUBSCRIPTION_DECLINED: 409,
  ALREADY_SUBSCRIBED: 409,
  ALREADY_CHECKED_IN: 409,
  CURSOR_EXPIRED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

export function statusOf({ code }: DomainError): number {
  return errorStatus[code];
}

/** Codes that only GraphQL has, named as in other GraphQL servers (reference/graphql.md#errors). */
export const graphqlOnlyTitle = {
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document or its variables do not fit the schema.',
  PERSISTED_QUERY_NOT_FOUND: 'No document is known by this hash.',
  PERSISTED_QUERY_ONLY: 'Only trusted documents are accepted.',
} as const;

export type GraphqlErrorCode = ErrorCode | keyof typeof graphqlOnlyTitle;

/** RFC 9457 `type`, which is also the address of a page about the code (reference/errors.md#pages). */
export function errorType(publicUrl: string, code: GraphqlErrorCode): string {
  return `${publicUrl}/errors/${code}`;
}

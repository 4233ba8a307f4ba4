/** The message of each code (reference/errors.md#codes). */
export const errorTitle = {
  INVALID_CREDENTIALS: 'The e-mail address or the password is wrong.',
  INVALID_QUERY: 'The query is not valid.',
  INVALID_CURSOR: 'The cursor is not valid for this request.',
  INVALID_JSON: 'The body is not valid JSON.',
  VALIDATION_ERROR: 'The request is not valid.',
  WEAK_PASSWORD: 'The password is too weak.',
  ORGANIZATION_REQUIRED: 'The header x-organization-id must name one organization by its id.',
  INVALID_RESET_TOKEN: 'The reset token is not valid.',
  INVALID_VERIFICATION_TOKEN: 'The verification token is not valid.',
  INVALID_INVITATION_TOKEN: 'The invitation token is not valid.',
  INVALID_TOKEN: 'The access token is missing or not valid.',
  TOKEN_NOT_FOUND: 'The signed cookie `token` is missing.',
  USER_NOT_VERIFIED: 'The e-mail address of this account is not verified yet.',
  FORBIDDEN: 'You may not do this.',
  ORGANIZATION_FORBIDDEN: 'You may not act in this organization.',
  CROSS_SITE: 'This request came from another site.',
  NOT_FOUND: 'The resource does not exist.',
  METHOD_NOT_ALLOWED: 'This method is not allowed here.',
  CONFLICT: 'The request conflicts with the current state.',
  INVALID_TRANSITION: 'This change of status is not possible.',
  EVENT_FULL: 'The event has no free place.',
  REGISTRATION_CLOSED: 'The event does not accept subscriptions.',
  SUBSCRIPTION_DECLINED: 'The subscription to this event was declined.',
  ALREADY_SUBSCRIBED: 'This user already has a subscription to the event.',
  ALREADY_CHECKED_IN: 'This subscription is already checked in.',
  CURSOR_EXPIRED: 'The cursor leads to changes that are not available.',
  PRECONDITION_FAILED: 'A precondition of the request is not met.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The content type is not supported; send application/json.',
  IDEMPOTENCY_MISMATCH: 'This idempotency key was used for another request.',
  RATE_LIMITED: 'Too many requests.',
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side.',
  SERVICE_UNAVAILABLE: 'The service is not available right now.',
} as const;

export type ErrorCode = keyof typeof errorTitle;
export const errorCodes = Object.keys(errorTitle) as [ErrorCode, ...ErrorCode[]];

export interface Issue {
  /** JSON pointer (RFC 6901) to the invalid value. */
  pointer: string;
  code: ErrorCode;
  detail: string;
}

export interface DomainErrorOptions {
  detail?: string;
  issues?: Issue[];
  /** Seconds after which a retry may succeed; also part of the detail of RATE_LIMITED. */
  retryAfter?: number;
  cause?: unknown;
}

/** An expected failure, with a code of the catalogue. Any other error is logged, and masked in the response. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly issues: Issue[] | undefined;
  /** Whole seconds, at least one. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    const retryAfter = options.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfter));
    const detail =
      code === 'RATE_LIMITED' && retryAfter !== undefined
        ? `${options.detail ?? errorTitle[code]} Retry in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`
        : options.detail;
    super(detail ?? errorTitle[code], options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.detail = detail;
    this.issues = options.issues;
    this.retryAfter = retryAfter;
  }
}

/** An error with one issue. */
export function fault(code: ErrorCode, pointer: string, detail: string): DomainError {
  return new DomainError(code, { detail, issues: [{ pointer, code, detail }] });
}

/** A response must not be many times the size of its request. */
const maxIssues = 1_000;

/** Whether there are more issues than are listed. */
export function areEnough(issues: readonly unknown[]): boolean {
  return issues.length > maxIssues;
}

export function faults(code: ErrorCode, issues: Issue[]): DomainError {
  const more: Issue = { pointer: '', code, detail: `Only the first ${maxIssues} errors are listed.` };
  const listed = areEnough(issues) ? [...issues.slice(0, maxIssues), more] : issues;
  return new DomainError(code, { detail: issues[0]?.detail, issues: listed });
}

/** If `read` throws an error with issues, adds them to `issues` and returns `fallback`. */
export function collectIssues<T>(issues: Issue[], fallback: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DomainError) || !error.issues) throw error;
    issues.push(...error.issues);
    return fallback;
  }
}

export function escapePointer(segment: string | number): string {
  return String(segment).replaceAll('~', '~0').replaceAll('/', '~1');
}

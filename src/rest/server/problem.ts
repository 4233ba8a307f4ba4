import type { ServerResponse } from 'node:http';
import { endText } from '../../http/end-text.ts';
import { type DomainError, errorTitle } from '../../kernel/errors.ts';

export const problemType = 'application/problem+json; charset=utf-8';

/** Writes `application/problem+json` (RFC 9457; interface/errors.md#format). */
export function sendProblem(response: ServerResponse, error: DomainError, requestId: string): void {
  const body = JSON.stringify(presentProblem(error, requestId));
  response.statusCode = error.status;
  if (error.code === 'INVALID_TOKEN') response.setHeader('www-authenticate', 'Bearer');
  if (error.retryAfter !== undefined) response.setHeader('retry-after', String(error.retryAfter));
  response.setHeader('content-type', problemType);
  endText(response, body);
}

/** The body of an error response. */
export function presentProblem(error: DomainError, requestId: string): Record<string, unknown> {
  return {
    type: 'about:blank',
    title: errorTitle[error.code],
    status: error.status,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    code: error.code,
    request_id: requestId,
    ...(error.issues === undefined ? {} : { errors: error.issues }),
  };
}

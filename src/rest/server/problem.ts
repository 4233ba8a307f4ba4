import type { ServerResponse } from 'node:http';
import { endText } from '#bounded-http';
import { errorType, statusOf } from '../../http/errors.ts';
import { type DomainError, errorTitle } from '../../kernel/errors.ts';

export const problemType = 'application/problem+json; charset=utf-8';

export interface Occurrence {
  requestId: string;
  publicUrl: string;
}

/** RFC 9457; reference/errors.md#format. */
export function sendProblem(response: ServerResponse, error: DomainError, occurrence: Occurrence): void {
  const body = JSON.stringify(presentProblem(error, occurrence));
  response.statusCode = statusOf(error);
  if (error.code === 'INVALID_TOKEN') response.setHeader('www-authenticate', 'Bearer');
  // a cache must not send back a client that starts again
  if (error.code === 'CURSOR_EXPIRED') response.setHeader('cache-control', 'no-store');
  if (error.retryAfter !== undefined) response.setHeader('retry-after', String(error.retryAfter));
  response.setHeader('content-type', problemType);
  endText(response, body);
}

export function presentProblem(error: DomainError, { requestId, publicUrl }: Occurrence): Record<string, unknown> {
  return {
    type: errorType(publicUrl, error.code),
    title: errorTitle[error.code],
    status: statusOf(error),
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    code: error.code,
    request_id: requestId,
    ...(error.issues === undefined ? {} : { errors: error.issues }),
  };
}

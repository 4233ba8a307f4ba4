import type { Response } from 'express';
import { type DomainError, errorTitle } from '../domain/errors.ts';

/** Writes `application/problem+json` (RFC 9457) with the members of decisions §4. */
export function sendProblem(response: Response, error: DomainError, requestId: string): void {
  if (error.code === 'INVALID_TOKEN') response.set('www-authenticate', 'Bearer');
  if (error.retryAfter !== undefined) response.set('retry-after', String(error.retryAfter));
  response
    .status(error.status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(presentProblem(error, requestId)));
}

/** The body of a refusal; a code of the catalogue never carries more than its title, detail and issues. */
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

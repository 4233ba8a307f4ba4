import type { Request } from 'express';
import { DomainError } from '../kernel/errors.ts';
import { receivedBody } from './exchange.ts';
import { isOwnHost } from './incoming.ts';

/** The maximum number of form fields; the largest form has 50 questions with 50 options each. */
const maxFields = 5_000;

/**
 * The fields of a submitted form. Forms of other sites are refused: they need no session, but would use up the limits of the
 * networks of those sites' visitors.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, CROSS_SITE
 */
export function receivedForm(request: Request): URLSearchParams {
  const body = receivedBody(request);
  const { headers } = request;
  const type = (headers['content-type'] ?? '').split(';', 1)[0] as string;
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded' || !isPlain) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  }
  if (isForeign(request)) throw new DomainError('CROSS_SITE');
  const text = body.toString();
  // parsing half a million fields takes seconds
  if (text.split('&', maxFields + 1).length > maxFields) {
    throw new DomainError('PAYLOAD_TOO_LARGE', { detail: 'The form has too many fields.' });
  }
  return new URLSearchParams(text);
}

function isForeign(request: Request): boolean {
  const sites = request.headersDistinct['sec-fetch-site'];
  if (sites) return sites.some((site) => site !== 'same-origin' && site !== 'none');
  // older browsers; for forms of pages without a referrer they send `null`
  const { origin = 'null' } = request.headers;
  if (origin === 'null') return false;
  const url = URL.parse(origin);
  return url === null || !isOwnHost(request, url);
}

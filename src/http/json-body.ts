import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../kernel/errors.ts';
import { exchangeOf } from './exchange.ts';
import { hasMoreValues } from './json-values.ts';

/** The most commas, colons and brackets of a body; the largest form has 14,000. */
const maxValues = 50_000;

/**
 * The body of a request, which has been received completely; empty if there is none. Can be read once.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE
 */
export function receivedBody(request: IncomingMessage): Buffer {
  const body = exchangeOf(request).takeBody();
  if (body === null) throw new DomainError('PAYLOAD_TOO_LARGE');
  return body;
}

/**
 * Parses a body. Accepts only `application/json` in UTF-8 (RFC 8259, section 8.1): a page of another site can send forms
 * and `text/plain` without a preflight.
 *
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, PAYLOAD_TOO_LARGE if it has very many values
 */
export function parseJsonBody(request: IncomingMessage, body: Buffer): unknown {
  if (!isJson(request)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  if (!isUtf8(body)) throw new DomainError('INVALID_JSON', { detail: 'The body is not valid UTF-8.' });
  if (hasMoreValues(body, maxValues)) {
    throw new DomainError('PAYLOAD_TOO_LARGE', { detail: 'The body has too many keys and values.' });
  }
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new DomainError('INVALID_JSON');
  }
}

function isJson({ headers }: IncomingMessage): boolean {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') return false;
  if (headers['content-type'] === 'application/json') return true;
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith('charset='));
  return type === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
}

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../kernel/errors.ts';

/** The maximum number of commas, colons and opening brackets in a body; the largest form has 14,000. */
const maxValues = 50_000;

/**
 * Parses a body. Accepts only `application/json` in UTF-8 (RFC 8259, section 8.1): pages of other sites can send forms and
 * `text/plain` without a CORS preflight.
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

const [comma, colon, array, object, quote, backslash] = [...',:[{"\\'].map((sign) => sign.charCodeAt(0));

/**
 * Whether a JSON text has more than `most` commas, colons and opening brackets outside strings, which bounds its keys and
 * values. Objects with a hundred thousand keys, or half a million nested arrays, take ten times as long to parse and copy as
 * a string of the same size.
 */
export function hasMoreValues(json: Buffer, most: number): boolean {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === comma || byte === colon || byte === array || byte === object) count += 1;
    else if (byte === quote) at = endOfString(json, at + 1);
    if (count > most) return true;
  }
  return false;
}

/** The index of the quote that ends a string; the length of the text if it is missing. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start; at < json.length; at += 1) {
    if (json[at] === quote) return at;
    if (json[at] === backslash) at += 1;
  }
  return json.length;
}

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { DomainError } from '../kernel/errors.ts';
import { exchangeOf } from './exchange.ts';

/** A host name or address, with an optional port; empty for a target without an authority (RFC 9110, section 7.2). */
const wellFormed = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]\\]*)(?::\d{0,5})?$/i;

/** RFC 9112, section 3.2. Node's own check would respond without a body. @throws DomainError VALIDATION_ERROR */
export function requireHost(request: IncomingMessage): void {
  const { httpVersion, headers, headersDistinct } = request;
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.1') return;
  if (host !== undefined && wellFormed.test(host) && headersDistinct.host?.length === 1) return;
  // as after any other malformed message
  exchangeOf(request).response.shouldKeepAlive = false;
  const detail = host === undefined ? 'The header Host is missing.' : 'The header Host is not a valid host.';
  throw new DomainError('VALIDATION_ERROR', { detail });
}

/** Whether the origin is the host that the client addressed; never http if we are served over https. */
export function isOwnHost(request: Request, origin: URL): boolean {
  const [host, ...others] = request.headersDistinct.host ?? [];
  if (host === undefined || others.length > 0 || !/^[\w.:[\]-]+$/.test(host)) return false;
  const own = `${origin.protocol}//${host}`;
  if (!URL.canParse(own) || new URL(own).origin !== origin.origin) return false;
  return origin.protocol === 'https:' || request.protocol === 'http';
}

/** The value of a header that must not be repeated; null if it is absent or repeated. */
export function onlyValue(values: readonly string[] | undefined): string | null {
  return (values?.length === 1 ? values[0] : null) ?? null;
}

/** The maximum size of a body, in bytes; large if it has a form or answers to one (reference/limits.md#requests). */
export const bodyLimits = { usual: 100 * 1024, large: 1024 * 1024 };

/** The maximum number of commas, colons and opening brackets in a body; the largest form has 14,000. */
const maxValues = 50_000;

/**
 * Accepts only `application/json` in UTF-8 (RFC 8259, section 8.1): pages of other sites can send forms and `text/plain`
 * without a CORS preflight.
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
  const { 'content-type': given = '', 'content-encoding': coding = 'identity' } = headers;
  const [type, ...parameters] = given
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((each) => each.startsWith('charset=')) ?? 'charset=utf-8';
  return type === 'application/json' && /^charset="?utf-8"?$/.test(charset) && coding.toLowerCase() === 'identity';
}

const [comma, colon, array, object, quote, backslash] = [...',:[{"\\'].map((sign) => sign.charCodeAt(0));

/**
 * Whether a JSON text has more than `most` commas, colons and opening brackets outside strings: many values take ten times as
 * long to parse as a string of the same size.
 */
export function hasMoreValues(json: Buffer, most: number): boolean {
  let count = 0;
  let inString = false;
  for (let at = 0; at < json.length && count <= most; at += 1) {
    const byte = json[at];
    if (byte === quote) inString = !inString;
    else if (inString && byte === backslash) at += 1;
    else if (!inString && (byte === comma || byte === colon || byte === array || byte === object)) count += 1;
  }
  return count > most;
}

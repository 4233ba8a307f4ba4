import type { IncomingMessage } from 'node:http';
import { DomainError } from '../kernel/errors.ts';

/** URLs contain filters: 8 KiB, of which each byte may be percent-encoded as three. */
export const maxHeaderSize = 64 * 1024;

/** The parser limits only bytes, and many short headers take far more memory than a few long ones. */
export const maxHeaders = 100;

const malformed = () => new DomainError('VALIDATION_ERROR', { detail: 'This is not a well-formed HTTP request.' });
const tooLarge = (detail: string) => new DomainError('PAYLOAD_TOO_LARGE', { detail });

/** An error of Node.js's HTTP parser. */
export interface ParserError extends Error {
  code?: string;
  /** The bytes that the parser was reading, and how many of them it had parsed. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Refuses messages that the parser accepts but that can make two servers disagree on where a request ends (smuggling). */
export function framingFault({ httpVersion, headers, rawHeaders, url = '' }: IncomingMessage): DomainError | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed();
  if (rawHeaders.length > 2 * maxHeaders) return tooLarge(`A request can have at most ${maxHeaders} headers.`);
  if (rawHeaders.reduce((sum, each) => sum + each.length, url.length) > maxHeaderSize) return headersTooLarge();
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) return malformed();
  return null;
}

const parserFaults: Record<string, () => DomainError> = {
  // exceeding a time limit gives 503 (reference/limits.md); 408 is not in the catalogue
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new DomainError('SERVICE_UNAVAILABLE', { detail: 'The request took too long to arrive.', retryAfter: 1 }),
  HPE_HEADER_OVERFLOW: headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => tooLarge('The extensions of a chunk are too large.'),
};

/** With the target of the request, or ''; it decides which API's format the error response has. */
export function parserFault({ code = '', rawPacket, bytesParsed }: ParserError): [fault: DomainError, target: string] {
  const text = rawPacket?.toString('latin1', 0, bytesParsed ?? 0) ?? '';
  const target = [...text.matchAll(/(?:^|\n)[A-Z-]+ (\S+)/g)].at(-1)?.[1] ?? '';
  return [(parserFaults[code] ?? malformed)(), target];
}

function headersTooLarge(): DomainError {
  return tooLarge(`The headers and the URL can have at most ${maxHeaderSize} bytes.`);
}

/** A host name or address, with an optional port; empty for a target without an authority (RFC 9110, section 7.2). */
const wellFormed = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]\\]*)(?::\d{0,5})?$/i;

/** RFC 9112, section 3.2. Node's own check would respond without a body. @throws DomainError VALIDATION_ERROR */
export function requireHost({ httpVersion, headers, headersDistinct }: IncomingMessage): void {
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.1') return;
  if (host === undefined) throw new DomainError('VALIDATION_ERROR', { detail: 'The header Host is missing.' });
  if (!wellFormed.test(host) || (headersDistinct.host?.length ?? 0) > 1) {
    throw new DomainError('VALIDATION_ERROR', { detail: 'The header Host is not a valid host.' });
  }
}

/** The value of a header that must not be repeated; null if it is absent or repeated. */
export function onlyValue(values: readonly string[] | undefined): string | null {
  return (values?.length === 1 ? values[0] : null) ?? null;
}

import type { IncomingMessage } from 'node:http';
import { HttpFault } from './fault.ts';

/** URLs contain filters: 8 KiB, of which each byte may be percent-encoded as three. */
export const maxHeaderSize = 64 * 1024;

/** The parser limits only bytes, and many short headers take far more memory than a few long ones. */
export const maxHeaders = 100;

const malformed = () => new HttpFault(400, 'This is not a well-formed HTTP request.');
const tooLarge = (message: string) => new HttpFault(413, message);

/** An error of Node.js's HTTP parser. */
export interface ParserError extends Error {
  code?: string;
  /** The bytes that the parser was reading, and how many of them it had parsed. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Refuses messages that the parser accepts but that can make two servers disagree on where a request ends (smuggling). */
export function framingFault({ httpVersion, headers, rawHeaders, url = '' }: IncomingMessage): HttpFault | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed();
  if (rawHeaders.length > 2 * maxHeaders) return tooLarge(`A request can have at most ${maxHeaders} headers.`);
  if (rawHeaders.reduce((sum, each) => sum + each.length, url.length) > maxHeaderSize) return headersTooLarge();
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) return malformed();
  return null;
}

const parserFaults: Record<string, () => HttpFault> = {
  // not 408, after which clients may repeat a write
  ERR_HTTP_REQUEST_TIMEOUT: () => new HttpFault(503, 'The request took too long to arrive.', 1),
  HPE_HEADER_OVERFLOW: headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => tooLarge('The extensions of a chunk are too large.'),
};

/** With the target of the request, or ''; it decides which API's format the error response has. */
export function parserFault({ code = '', rawPacket, bytesParsed }: ParserError): [fault: HttpFault, target: string] {
  const text = rawPacket?.toString('latin1', 0, bytesParsed ?? 0) ?? '';
  const target = [...text.matchAll(/(?:^|\n)[A-Z-]+ (\S+)/g)].at(-1)?.[1] ?? '';
  return [(parserFaults[code] ?? malformed)(), target];
}

function headersTooLarge(): HttpFault {
  return tooLarge(`The headers and the URL can have at most ${maxHeaderSize} bytes.`);
}

import type { ServerResponse } from 'node:http';

/**
 * Ends a response with a text, and its length. Most answers are ASCII, which has the same bytes in Latin-1, and that
 * Node.js copies to the socket without encoding it.
 */
export function endText(response: ServerResponse, text: string): void {
  const length = Buffer.byteLength(text);
  response.setHeader('content-length', length);
  response.end(text, length === text.length ? 'latin1' : 'utf8');
}

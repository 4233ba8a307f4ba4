import type { ServerResponse } from 'node:http';

/**
 * Sends a text with its `Content-Length`. Most responses are ASCII, which has the same bytes in Latin-1, and Node.js copies
 * Latin-1 to the socket without encoding it.
 */
export function endText(response: ServerResponse, text: string): void {
  const length = Buffer.byteLength(text);
  response.setHeader('content-length', length);
  response.end(text, length === text.length ? 'latin1' : 'utf8');
}

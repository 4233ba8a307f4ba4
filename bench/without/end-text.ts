import type { ServerResponse } from 'node:http';

/** Every text is encoded. */
export function endText(response: ServerResponse, text: string): void {
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text, 'utf8');
}

import type { ServerResponse } from 'node:http';

/** Ends a response with a value as JSON; the status is the one that was set, 200 unless told so. */
export function sendJson(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

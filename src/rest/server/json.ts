import type { ServerResponse } from 'node:http';
import { endText } from '../../http/end-text.ts';

/** Sends a value as JSON; the status is the one that was set, or 200. */
export function sendJson(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  endText(response, body);
}

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/**
 * Gives an answer the headers that all have, whoever writes it, and the log a line once it is sent.
 *
 * @returns the id of the request
 */
export function beginRequest(log: Logger, request: IncomingMessage, response: ServerResponse): string {
  const started = performance.now();
  const requestId = randomUUID();
  const { method, url } = request;
  const path = pathOf(url ?? '');
  response.setHeader('x-request-id', requestId);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  if (path.startsWith('/auth/') || path === '/auth') response.setHeader('cache-control', 'no-store');
  response.on('finish', () => {
    const duration = Math.round((performance.now() - started) * 10) / 10;
    log.info({ requestId, method, path, status: response.statusCode, ms: duration }, 'request');
  });
  return requestId;
}

/** The path of a request's target; empty where that is none that has one (RFC 9112, section 3.2). */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] as string;
  return URL.parse(target)?.pathname ?? '';
}

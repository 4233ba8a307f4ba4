import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { DomainError } from '../kernel/errors.ts';
import type { Log } from '../kernel/request.ts';
import { statusOf } from './errors.ts';
import { crossesBound } from './exchange.ts';

/** An error response in the format of the face that a target belongs to. */
export interface Refusal {
  headers: Record<string, string>;
  body: string;
}

/** Formats an error in the way of the face that the target belongs to; the composition root knows the faces. */
export type PresentRefusal = (
  error: DomainError,
  request: { target: string; accept: string | undefined; requestId: string },
) => Refusal;

/** A message that is refused before it becomes a request, so that there is no response object. */
export interface Unrequested {
  error: DomainError;
  /** Empty if unknown. */
  target: string;
  ip: string | null;
  headers?: Record<string, string>;
}

/** The text of a raw error response; logs it, like every response. */
export function rawRefusal({ error, target, ip, headers }: Unrequested, present: PresentRefusal, log: Log): string {
  const requestId = randomUUID();
  const refusal = present(error, { target, accept: undefined, requestId });
  const lines = Object.entries({
    ...refusal.headers,
    ...headers,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': requestId,
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = statusOf(error);
  const fields = { requestId, ip, status, fault: error.message };
  if (crossesBound(error)) log.warn(fields, 'refused before the request was complete');
  else log.info(fields, 'refused before the request was complete');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${refusal.body}`;
}

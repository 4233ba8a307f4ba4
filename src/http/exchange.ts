import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../kernel/errors.ts';
import type { Log } from '../kernel/request.ts';

/** The body of a request without a response yet. */
export interface HeldBody {
  /** Refuses its request while it is arriving. */
  refuse(error: DomainError): void;
  /** Drops it to make room; false if its request is being answered, so that it has to stay. */
  giveUp(error: DomainError): boolean;
  /** Its exchange is over. */
  release(): void;
}

const key = Symbol('exchange');
type Carrier = IncomingMessage & { [key]?: Exchange };

const nothing = Buffer.alloc(0);

/** A request and its response, from the end of the headers to the last byte. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId = randomUUID();
  /** The client's address, also after the connection is gone. */
  readonly ip: string | null;
  readonly path: string;
  /** Why the request is refused regardless of its target: it is malformed, or exceeds a limit. */
  fault: DomainError | null = null;
  /** The whole body until it is read; null if it is too large. */
  body: Buffer | null = nothing;
  /** Receives the body and accounts for its memory; null if there is no body to wait for. */
  heldBody: HeldBody | null = null;
  readonly #log: Log;
  readonly #started = performance.now();
  #ended = false;

  /** Sets the headers that all responses have. */
  constructor(request: IncomingMessage, response: ServerResponse, { ip, log }: { ip: string | null; log: Log }) {
    this.request = request;
    this.response = response;
    this.ip = ip;
    this.path = pathOf(request.url ?? '');
    this.#log = log;
    // for example a write after the end: a defect, which must not end the process
    response.on('error', (error) => log.error({ requestId: this.requestId, err: error }, 'a response failed'));
    (request as Carrier)[key] = this;
    response.setHeader('x-request-id', this.requestId);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    if (isSecret(this.path)) response.setHeader('cache-control', 'no-store');
  }

  /** The body; the exchange no longer refers to it. @throws DomainError PAYLOAD_TOO_LARGE */
  takeBody(): Buffer {
    const { body } = this;
    if (body === null) throw new DomainError('PAYLOAD_TOO_LARGE');
    this.body = nothing;
    return body;
  }

  /** Makes the connection accept no further request, and close with the response. */
  endsConnection(): void {
    this.response.shouldKeepAlive = false;
  }

  /** Releases the body, and logs once how the exchange ended. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.body = nothing;
    this.heldBody?.release();
    const { requestId, ip, path, fault, request, response } = this;
    const fields = {
      requestId,
      ip,
      method: request.method,
      path: withoutSecrets(path),
      outcome: response.writableFinished ? 'answered' : 'aborted',
      status: response.headersSent ? response.statusCode : undefined,
      ms: Math.round((performance.now() - this.#started) * 10) / 10,
      fault: fault?.message,
    };
    if (crossesBound(fault)) this.#log.warn(fields, 'request');
    else this.#log.info(fields, 'request');
  }
}

/** A path for the log, without the secret of a calendar's URL. */
export function withoutSecrets(path: string): string {
  return path.replace(/^\/calendar\/.*/, '/calendar/…');
}

/** The exchange that a request belongs to. */
export function exchangeOf(request: IncomingMessage): Exchange {
  return (request as Carrier)[key] as Exchange;
}

/**
 * The body of a request, which has been received completely; empty if there is none. Can be read once.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE
 */
export function receivedBody(request: IncomingMessage): Buffer {
  return exchangeOf(request).takeBody();
}

/**
 * Calls the listener once, when a response was handed over or its client has disconnected. Node's own events come later, when
 * the client has read it: no client may decide how long that takes.
 */
export function whenAnswered(response: ServerResponse, listener: () => void): void {
  // a response is there until the next one on its connection, and must not hold what its request has loaded
  let waiting: (() => void) | null = listener;
  const answered = () => {
    const call = waiting;
    waiting = null;
    call?.();
  };
  response.once('close', answered);
  const { end } = response;
  response.end = ((...given: Parameters<ServerResponse['end']>) => {
    end.apply(response, given);
    answered();
    return response;
  }) as ServerResponse['end'];
}

/** Whether an error is an exceeded limit (interface/bounds.md), which operators want to see. */
export function crossesBound(error: DomainError | null): boolean {
  return error !== null && (error.status === 429 || error.status === 503);
}

/** The path of a request's target; empty if it is not of a form that has one (RFC 9112, section 3.2). */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] as string;
  return URL.parse(target)?.pathname ?? '';
}

/** Whether responses show what no cache may keep: accounts, and what secret links lead to. */
function isSecret(path: string): boolean {
  return path === '/auth' || path.startsWith('/auth/') || path.startsWith('/public/subscriptions/');
}

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../kernel/errors.ts';
import type { Log } from '../kernel/request.ts';
import { parseTraceparent, type Span, tracing } from '../kernel/tracing.ts';
import { signals, Usage } from '../kernel/usage.ts';
import type { BodyMemory } from './body.ts';
import { setBudgetHeaders } from './budget-headers.ts';
import { errorStatus } from './errors.ts';

const key = Symbol('exchange');
type Carrier = IncomingMessage & { [key]?: Exchange };

const nothing = Buffer.alloc(0);
/** What a chunk takes beyond its bytes. */
const chunkCost = 500;

/** Health checks, which are answered however busy the process is; successful ones are not logged. */
export const probes = ['/healthz', '/readyz'];

/** Sends a text with its length, which Node.js leaves out of responses to HEAD. */
export function endText(response: ServerResponse, text: string): void {
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

/** A request and its response, from the end of the headers to the last byte. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId = randomUUID();
  readonly ip: string | null;
  readonly path: string;
  readonly usage: Usage;
  /** Why the request is refused, whatever its target. */
  fault: DomainError | null = null;
  /** Null if it is too large. */
  body: Buffer | null = nothing;
  readonly #log: Log;
  readonly #started = performance.now();
  readonly #span: Span | null = null;
  readonly #traceId: string | undefined;
  #memory: BodyMemory | null = null;
  #chunks: Buffer[] = [];
  /** Hands the request on, with its body or fault; null once that happened. */
  #done: (() => void) | null = null;

  /** Sets the headers of every response. */
  constructor(request: IncomingMessage, response: ServerResponse, { ip, log }: { ip: string | null; log: Log }) {
    this.request = request;
    this.response = response;
    this.usage = new Usage((budgets) => setBudgetHeaders(response, budgets));
    this.ip = ip;
    this.path = pathOf(request.url ?? '');
    this.#log = log;
    // Node.js joins several into one, which is then invalid
    const traceparent = request.headers.traceparent as string | undefined;
    if (tracing.tracer) this.#span = tracing.tracer.begin(`${request.method}`, 'server', traceparent);
    this.usage.span = this.#span;
    // of the caller's trace or our own
    this.#traceId = this.#span?.traceId ?? (traceparent && parseTraceparent(traceparent)?.traceId);
    // a bug, such as a write after the end, must not end the process
    response.on('error', (error) => log.error({ requestId: this.requestId, err: error }, 'a response failed'));
    (request as Carrier)[key] = this;
    response.setHeader('x-request-id', this.requestId);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    // responses that show accounts or what secret links open
    if (/^\/(?:auth(?:\/|$)|public\/subscriptions\/)/.test(this.path)) response.setHeader('cache-control', 'no-store');
  }

  /**
   * Receives the body before the request is handled: all bad bodies are refused in one way.
   *
   * @param done called once there is a body or a fault; not if the client disconnects first
   */
  receiveBody(limit: number, memory: BodyMemory, done: () => void): void {
    let length = 0;
    this.#memory = memory;
    this.#done = done;
    this.request.on('data', (chunk: Buffer) => {
      // after a refusal data is dropped: a reset would keep the client from seeing the response
      if (!this.#done) return;
      length += chunk.length;
      this.#chunks.push(chunk);
      if (length > limit) this.refuse(null);
      else memory.hold(this, length + this.#chunks.length * chunkCost);
    });
    this.request.once('end', () => this.#settle(Buffer.concat(this.#chunks)));
  }

  /** Refuses the request unless it has arrived. @param fault null if the body is too large */
  refuse(fault: DomainError | null): void {
    if (!this.#done) return;
    this.fault = fault;
    this.response.shouldKeepAlive = false;
    this.#memory?.release(this);
    this.#settle(null);
  }

  /** Drops the body, to free memory; false if the request is being handled in its turn. */
  giveUp(error: DomainError): boolean {
    // Node.js assigns the socket when it is this response's turn
    if (!this.#done && this.response.socket) return false;
    if (this.#done) this.refuse(error);
    else {
      // the handler may have run, so a refusal would be wrong
      this.fault = error;
      this.request.socket.destroy();
    }
    return true;
  }

  /** Releases the body, and logs how the exchange ended. */
  end(): void {
    this.body = nothing;
    this.#done = null;
    this.#chunks = [];
    this.#memory?.release(this);
    const { requestId, ip, path, fault, request, response, usage } = this;
    if (fault) usage.addCode(fault.code);
    const milliseconds = performance.now() - this.#started;
    const status = response.headersSent ? response.statusCode : undefined;
    signals.emit('requestEnded', usage, status ?? 0, milliseconds);
    if (this.#span) this.#endSpan(this.#span, status);
    const fields = {
      requestId,
      traceId: this.#traceId,
      ip,
      method: request.method,
      path: withoutSecrets(path),
      operation: usage.operation,
      user: usage.userId ?? undefined,
      organization: usage.organizationId ?? undefined,
      code: usage.codes?.[0],
      outcome: response.writableFinished ? 'answered' : 'aborted',
      status,
      ms: Math.round(milliseconds * 10) / 10,
      fault: fault?.message,
    };
    const exceedsLimit = fault !== null && [429, 503].includes(errorStatus[fault.code]);
    const isProbed = status === 200 && probes.includes(path);
    this.#log[exceedsLimit ? 'warn' : isProbed ? 'debug' : 'info'](fields, 'request');
  }

  #settle(body: Buffer | null): void {
    const done = this.#done;
    this.#done = null;
    this.#chunks = [];
    if (!done) return;
    this.body = body;
    done();
  }

  #endSpan(span: Span, status: number | undefined): void {
    const { operation, face, statements, codes } = this.usage;
    span.rename(`${this.request.method} ${operation}`);
    span.set({
      'http.request.method': String(this.request.method),
      'http.response.status_code': status ?? 0,
      'url.path': withoutSecrets(this.path),
      'events_gateway.face': face,
      'events_gateway.operation': operation,
      'events_gateway.statements': statements,
      'events_gateway.request_id': this.requestId,
      ...(codes && { 'error.type': codes.join(' ') }),
    });
    span.end(status === undefined || status >= 500 ? (codes?.[0] ?? 'aborted') : undefined);
  }
}

/** Without the secret of a calendar's URL, for the log. */
export function withoutSecrets(path: string): string {
  return path.replace(/^\/calendar\/.*/, '/calendar/…');
}

export function exchangeOf(request: IncomingMessage): Exchange {
  return (request as Carrier)[key] as Exchange;
}

/** Takes the complete body of a request; empty if there is none. @throws DomainError PAYLOAD_TOO_LARGE */
export function receivedBody(request: IncomingMessage): Buffer {
  const exchange = exchangeOf(request);
  const { body } = exchange;
  if (body === null) throw new DomainError('PAYLOAD_TOO_LARGE');
  exchange.body = nothing;
  return body;
}

/**
 * Calls the listener once, when the response has been handed to Node.js or the client has disconnected. Node's own events
 * wait until the client has read the response, and a slow client must not hold resources.
 */
export function whenAnswered(response: ServerResponse, listener: () => void): void {
  // the response lives until the next one on its connection, and must not keep what its request loaded
  let waiting: (() => void) | null = listener;
  const answered = () => {
    waiting?.();
    waiting = null;
  };
  response.once('close', answered);
  const { end } = response;
  response.end = ((...given: Parameters<ServerResponse['end']>) => {
    end.apply(response, given);
    answered();
    return response;
  }) as ServerResponse['end'];
}

/** The path of a request target; empty if its form has none (RFC 9112, section 3.2). */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] as string;
  return URL.parse(target)?.pathname ?? '';
}

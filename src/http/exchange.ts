import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpExchange, type HttpFault } from '#bounded-http';
import { parseTraceparent, type Span, tracing } from '#otlp-traces';
import { DomainError, type ErrorCode } from '../kernel/errors.ts';
import type { Log } from '../kernel/request.ts';
import { type Budget, signals, Usage } from '../kernel/usage.ts';

const key = Symbol('exchange');
type Carrier = IncomingMessage & { [key]?: Exchange };

/** Health checks, which are answered however busy the process is; successful ones are not logged. */
export const probes = ['/healthz', '/readyz'];

const codeOf = {
  400: 'VALIDATION_ERROR',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<HttpFault['status'], ErrorCode>;

/** A request and its response, with what the log, the metrics and traces say of it. */
export class Exchange extends HttpExchange {
  readonly requestId = randomUUID();
  readonly usage: Usage;
  readonly #log: Log;
  readonly #started = performance.now();
  readonly #span: Span | null = null;
  readonly #traceId: string | undefined;

  /** Sets the headers of every response. */
  constructor(request: IncomingMessage, response: ServerResponse, { ip, log }: { ip: string | null; log: Log }) {
    super(request, response, { ip, log });
    this.usage = new Usage((budgets) => setBudgetHeaders(response, budgets));
    this.#log = log;
    // Node.js joins several into one, which is then invalid
    const traceparent = request.headers.traceparent as string | undefined;
    if (tracing.tracer) this.#span = tracing.tracer.begin(`${request.method}`, 'server', traceparent);
    this.usage.span = this.#span;
    // of the caller's trace or our own
    this.#traceId = this.#span?.traceId ?? (traceparent && parseTraceparent(traceparent)?.traceId);
    (request as Carrier)[key] = this;
    response.setHeader('x-request-id', this.requestId);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    // responses that show accounts or what secret links open
    if (/^\/(?:auth(?:\/|$)|public\/subscriptions\/)/.test(this.path)) response.setHeader('cache-control', 'no-store');
  }

  /** Why the request is refused, whatever its target. */
  get refusal(): DomainError | null {
    if (!this.fault) return null;
    const { status, message: detail, retryAfter } = this.fault;
    return new DomainError(codeOf[status], { detail, retryAfter });
  }

  protected override logFields(): object {
    return { requestId: this.requestId };
  }

  /** Logs how the exchange ended. */
  override end(): void {
    super.end();
    const { requestId, ip, path, fault, refusal, request, response, usage } = this;
    if (refusal) usage.addCode(refusal.code);
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
      fault: refusal?.message,
    };
    const exceedsLimit = fault?.status === 429 || fault?.status === 503;
    const isProbed = status === 200 && probes.includes(path);
    this.#log[exceedsLimit ? 'warn' : isProbed ? 'debug' : 'info'](fields, 'request');
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

/** Structured fields (RFC 9651) as in draft-ietf-httpapi-ratelimit-headers-10 (reference/limits.md#budgets). */
function setBudgetHeaders(response: ServerResponse, budgets: readonly Budget[]): void {
  if (response.headersSent) return;
  const name = ({ rule }: Budget) => `"${rule.replaceAll('_', '-')}"`;
  const fields = {
    'ratelimit-policy': budgets.map((each) => `${name(each)};q=${each.quota};w=${each.window}`),
    ratelimit: budgets.map((each) => `${name(each)};r=${each.remaining};t=${each.reset}`),
  };
  for (const [field, values] of Object.entries(fields)) {
    if (values.length === 0) response.removeHeader(field);
    else response.setHeader(field, values.join(', '));
  }
}

/** For the server, whose requests it makes exchanges of. */
export const openExchange = (log: Log) => (request: IncomingMessage, response: ServerResponse, ip: string | null) =>
  new Exchange(request, response, { ip, log });

/** Without the secret of a calendar's URL, for the log. */
export function withoutSecrets(path: string): string {
  return path.replace(/^\/calendar\/.*/, '/calendar/…');
}

export function exchangeOf(request: IncomingMessage): Exchange {
  return (request as Carrier)[key] as Exchange;
}

/** Takes the complete body of a request; empty if there is none. @throws DomainError PAYLOAD_TOO_LARGE */
export function receivedBody(request: IncomingMessage): Buffer {
  const body = exchangeOf(request).takeBody();
  if (body === null) throw new DomainError('PAYLOAD_TOO_LARGE');
  return body;
}

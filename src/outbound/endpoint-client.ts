import type { EndpointAnswer, EndpointRequest, SendToEndpoint } from '../domain/webhook/delivery.ts';
import { targetFault } from '../kernel/network/target-url.ts';
import { tracing } from '../kernel/tracing.ts';
import { type CheckOptions, checkedAddresses, RefusedAddress } from './checked-connect.ts';
import { type EndpointConnection, EndpointConnections, type HttpAnswer } from './connections.ts';

export interface EndpointClientOptions extends CheckOptions {
  /** Seconds for an answer to begin (interface/webhooks.md#answers). */
  patience?: number;
}

/**
 * Sends requests to addresses that strangers chose, without following redirects. The addresses of a host are checked for each
 * request, and a connection is used again only if it leads to one of them (note 0059).
 */
export function createEndpointClient(options: EndpointClientOptions): SendToEndpoint {
  const { patience = 15 } = options;
  const connections = new EndpointConnections();
  return async (request, signal) => {
    const began = performance.now();
    const failed = (error: string): EndpointAnswer => ({
      ...{ delivered: false, http_status: null, error, response: null, retryAfter: null },
      duration_ms: Math.round(performance.now() - began),
    });
    // the operator may have allowed less since it was stored
    if (targetFault(request.url, options.allowed) !== null) return failed(refused);
    const url = new URL(request.url);
    // its own, since what listens to `AbortSignal.any` is kept for as long as the given signal
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(late), patience * 1000);
    const giveUp = () => cut.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) giveUp();
    // the receiver may continue the trace
    const span = tracing.tracer?.begin('POST webhook', 'client', undefined);
    const traced = span ? { ...request, headers: { ...request.headers, traceparent: span.traceparent } } : request;
    try {
      const addresses = await unlessAborted(checkedAddresses(url, options), cut.signal);
      const { answer, connection } = await post(connections, url, traced, addresses, cut.signal);
      span?.set({ 'http.response.status_code': answer.status });
      if (answer.isWhole) connections.keep(connection);
      else void connection.close();
      return { ...judged(answer), duration_ms: Math.round(answer.at - began), response: answer.text };
    } catch (error) {
      signal?.throwIfAborted();
      return failed(cut.signal.reason === late ? `no answer within ${patience} seconds` : reasonOf(error));
    } finally {
      span?.end();
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  };
}

/** Why a request is given up whose time is over. */
const late = new Error('The time is over.');

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return await Promise.race([promise, aborted]);
}

/** The same words for what we refuse and what is closed: nobody learns from them what is on a private network. */
const refused = new RefusedAddress().message;

/** Sends a request; a second time if it went over a kept connection that ended before an answer began: the endpoint was closing it. */
async function post(
  connections: EndpointConnections,
  url: URL,
  request: EndpointRequest,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<{ answer: HttpAnswer; connection: EndpointConnection }> {
  const kept = connections.take(url, addresses);
  if (kept) {
    try {
      return { answer: await kept.post(url, request, signal), connection: kept };
    } catch (error) {
      if (!closed.has(codeOf(error)) || kept.hasAnswered) throw error;
    }
  }
  const connection = connections.open(url, addresses, signal);
  return { answer: await connection.post(url, request, signal), connection };
}

/** The errors of a connection that ended under a request. */
const closed = new Set(['UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'ECONNRESET', 'EPIPE']);

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '');

function judged({
  status,
  headers,
}: HttpAnswer): Pick<EndpointAnswer, 'delivered' | 'http_status' | 'error' | 'retryAfter'> {
  const delivered = status >= 200 && status < 300;
  const redirects = status >= 300 && status < 400 ? ': redirects are not followed' : '';
  const waits = status === 429 || status === 503;
  return {
    delivered,
    http_status: status,
    error: delivered ? null : `status ${status}${redirects}`,
    retryAfter: waits ? retryAfterSeconds(headers['retry-after']) : null,
  };
}

/** The seconds of a `Retry-After`, a number or a date; null if it is neither. */
function retryAfterSeconds(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d+$/.test(value)) return Number(value);
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** A failure in words; those of the libraries may quote addresses. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddress) return refused;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the head of the answer is too large';
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_INVALID')) return 'the answer is not valid HTTP';
  if (/CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME/.test(code)) return 'the certificate is not valid';
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return 'no TLS connection';
  return 'the connection was closed without an answer';
}

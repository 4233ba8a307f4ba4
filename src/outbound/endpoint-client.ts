import { LRUCache } from 'lru-cache';
import {
  answerSeconds,
  type EndpointAnswer,
  type EndpointRequest,
  type SendToEndpoint,
} from '../domain/webhook/endpoint.ts';
import { targetFault } from '../kernel/network/target-url.ts';
import { tracing } from '../kernel/tracing.ts';
import { AnswerReader, type HttpAnswer } from './answer-reader.ts';
import { type CheckOptions, checkedAddresses, RefusedAddress } from './checked-connect.ts';
import { type EndpointConnection, EndpointConnections } from './connections.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { TimeLimit } from './time-limit.ts';

/** A URL that was parsed; null if nothing may be sent to it, whatever its name resolves to. */
interface Target {
  url: URL | null;
}

/** How many URLs are remembered. */
const maxTargets = 1_000;

export interface EndpointClientOptions extends CheckOptions {
  /** Seconds for an answer to begin. */
  patience?: number;
}

/**
 * Sends requests to addresses that strangers chose, without following redirects. The addresses of a host are checked for each
 * request, and a connection is used again only if it leads to one of them (note 0059).
 */
export function createEndpointClient(options: EndpointClientOptions): SendToEndpoint {
  const { patience = answerSeconds } = options;
  const connections = new EndpointConnections();
  const targets = new LRUCache<string, Target>({ max: maxTargets });
  const targetOf = (text: string): Target => {
    const known = targets.get(text);
    if (known) return known;
    const target = { url: targetFault(text, options.allowed) === null ? new URL(text) : null };
    targets.set(text, target);
    return target;
  };
  return async (request, signal) => {
    const began = performance.now();
    const failed = (error: string): EndpointAnswer => ({
      ...{ delivered: false, http_status: null, error, response: null, retryAfter: null },
      duration_ms: Math.round(performance.now() - began),
    });
    const { url } = targetOf(request.url);
    if (url === null) return failed(refused);
    const limit = new TimeLimit(patience * 1000, signal);
    // the receiver may continue the trace
    const span = tracing.tracer?.begin('POST webhook', 'client', undefined);
    const traced = span ? { ...request, headers: { ...request.headers, traceparent: span.traceparent } } : request;
    try {
      const addresses = await limit.race(checkedAddresses(url, options));
      const { answer, connection } = await post(connections, url, traced, addresses, limit.signal);
      span?.set({ 'http.response.status_code': answer.status });
      if (answer.isWhole) connections.keep(connection);
      else void connection.close();
      return { ...judged(answer), duration_ms: Math.round(answer.at - began), response: answer.text };
    } catch (error) {
      signal?.throwIfAborted();
      return failed(limit.isOver ? `no answer within ${patience} seconds` : reasonOf(error));
    } finally {
      span?.end();
      limit.end();
    }
  };
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
      return { answer: await postOver(kept, url, request, addresses, signal), connection: kept };
    } catch (error) {
      if (!isClosed(error) || kept.hasAnswered) throw error;
    }
  }
  const connection = connections.open(url);
  return { answer: await postOver(connection, url, request, addresses, signal), connection };
}

async function postOver(
  connection: EndpointConnection,
  { pathname, search }: URL,
  { headers, body }: EndpointRequest,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<HttpAnswer> {
  connection.prepare(addresses, signal);
  const reader = new AnswerReader(signal);
  const options = {
    ...{ method: 'POST' as const, path: `${pathname}${search}`, body },
    headers: { 'content-type': 'application/json', 'user-agent': 'Events-Gateway-Webhooks', ...headers },
  };
  try {
    connection.client.dispatch(options, reader);
    return await reader.answer;
  } catch (error) {
    void connection.close();
    throw error;
  }
}

/** Whether a connection ended under a request. */
function isClosed(error: unknown): boolean {
  return closed.has(String((error as { code?: unknown }).code));
}

const closed = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function judged({ status: statusCode, headers }: HttpAnswer) {
  const delivered = statusCode >= 200 && statusCode < 300;
  const waits = statusCode === 429 || statusCode === 503;
  return {
    delivered,
    http_status: statusCode,
    error: delivered ? null : errorOf(statusCode),
    retryAfter: waits ? retryAfterSeconds(headers['retry-after']) : null,
  };
}

function errorOf(status: number): string {
  return status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
}

/** A failure in words; those of the libraries may quote addresses. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddress) return refused;
  const code = String((error as { code?: unknown }).code ?? '');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the head of the answer is too large';
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_INVALID')) return 'the answer is not valid HTTP';
  if (/CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME/.test(code)) return 'the certificate is not valid';
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return 'no TLS connection';
  return 'the connection was closed without an answer';
}

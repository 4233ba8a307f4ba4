import { lookup as lookUpAsSystem, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errors } from 'undici';
import { type AllowedTargets, hostOf } from './allowed-targets.ts';
import { codeOf, createPost, type HttpAnswer } from './post.ts';
import { isPublicAddress } from './public-address.ts';
import { targetFault } from './target-fault.ts';

export interface EndpointRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The response of an endpoint, or the reason why there is none. */
export interface EndpointAnswer {
  /** Whether a status of 2xx arrived in time. */
  delivered: boolean;
  /** Null without a response. */
  http_status: number | null;
  duration_ms: number;
  /** In words; null if it was delivered. */
  error: string | null;
  /** The beginning of the body; null without a response. */
  response: string | null;
  /** The seconds that a response of 429 or 503 asks to wait. */
  retryAfter: number | null;
}

/** Throws only if the signal aborts, with its reason. */
export type SendToEndpoint = (request: EndpointRequest, signal?: AbortSignal) => Promise<EndpointAnswer>;

/** The span of a request, as in OpenTelemetry. */
interface RequestSpan {
  traceparent: string;
  set(attributes: Record<string, number>): void;
  end(): void;
}

export interface EndpointClientOptions {
  allowed: AllowedTargets;
  /** The addresses of a name, an empty list or an error if it has none; by default through DNS. */
  resolve?: (hostname: string) => Promise<string[]>;
  /** Seconds until a response must begin; by default 15. */
  patience?: number;
  /** The `user-agent` of the requests. */
  userAgent?: string;
  /** Begins the span of a request; null if it is not traced. */
  trace?: () => RequestSpan | null | undefined;
}

/**
 * Sends requests to URLs that strangers chose, without following redirects. The addresses of the host are checked for each request, and
 * a connection is reused only for the same ones.
 */
export function createEndpointClient(options: EndpointClientOptions): SendToEndpoint {
  const { patience = 15, trace } = options;
  const post = createPost(options.userAgent);
  return async (request, signal) => {
    const began = performance.now();
    const failed = (error: string): EndpointAnswer => ({
      ...{ delivered: false, http_status: null, error, response: null, retryAfter: null },
      duration_ms: Math.round(performance.now() - began),
    });
    // the operator may have forbidden it since it was stored
    if (targetFault(request.url, options.allowed) !== null) return failed(refused);
    const url = new URL(request.url);
    // not `AbortSignal.any`, whose listeners are kept for as long as the given signal
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(late), patience * 1000);
    const giveUp = () => cut.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) giveUp();
    const span = trace?.();
    const traced = span ? { ...request, headers: { ...request.headers, traceparent: span.traceparent } } : request;
    try {
      const addresses = await unlessAborted(checkedAddresses(url, options), cut.signal);
      const answer = await post(url, traced, addresses, cut.signal);
      span?.set({ 'http.response.status_code': answer.status });
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

/** An address is not public, or the name has none. */
class RefusedAddress extends Error {}

/**
 * The addresses that the host of a URL has now, if all are allowed.
 *
 * @throws RefusedAddress also if the name has no address, so that nobody learns the names of a private network
 */
async function checkedAddresses(
  url: URL,
  { allowed, resolve = resolveByDns }: EndpointClientOptions,
): Promise<string[]> {
  const host = hostOf(url);
  const isAllowed = allowed.allow(url);
  const find = isAllowed ? resolveBySystem : resolve;
  const addresses = isIP(host) === 0 ? await find(host).catch(() => []) : [host];
  if (addresses.length === 0 || !(isAllowed || addresses.every(isPublicAddress))) throw new RefusedAddress();
  return addresses;
}

/** Names that the operator allowed may come from the hosts file or a search domain. */
const resolveBySystem = async (host: string) =>
  (await lookUpAsSystem(host, { all: true })).map(({ address }) => address);

/** Without `getaddrinfo`, which blocks a thread of the pool: a few names with silent servers would stop the hashing of passwords. */
async function resolveByDns(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

const late = new Error('The time is over.');

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return await Promise.race([promise, aborted]);
}

/** The same words for refused and for unreachable addresses, so that nobody can explore a private network. */
const refused = 'refused address';

/** Codes of undici for a length that is wrong, and for a status that does not exist. */
const misread = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

function judged({ status, retryAfter }: HttpAnswer) {
  const delivered = status >= 200 && status < 300;
  const redirects = status >= 300 && status < 400 ? ': redirects are not followed' : '';
  const waits = status === 429 || status === 503;
  return {
    delivered,
    http_status: status,
    error: delivered ? null : `status ${status}${redirects}`,
    retryAfter: waits ? retryAfterSeconds(retryAfter) : null,
  };
}

/** The seconds of a `Retry-After`: a number or a date; null if it is neither. */
function retryAfterSeconds(value = ''): number | null {
  if (/^\d+$/.test(value)) return Number(value);
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Not the words of Node.js, which may quote addresses. */
function reasonOf(error: unknown): string {
  const all = error instanceof AggregateError ? error.errors : [error];
  if (error instanceof RefusedAddress || all.every((each) => unreachable.has(codeOf(each)))) return refused;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the head of the answer is too large';
  if (error instanceof errors.HTTPParserError || misread.has(code)) return 'the answer is not valid HTTP';
  if (/CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME/.test(code)) return 'the certificate is not valid';
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return 'no TLS connection';
  return 'the connection was closed without an answer';
}

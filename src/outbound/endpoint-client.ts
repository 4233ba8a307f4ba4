import { lookup as lookUpAsSystem, Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { EndpointAnswer, EndpointRequest, SendToEndpoint } from '../domain/webhook/delivery.ts';
import { type AllowedTargets, hostOf } from '../kernel/network/allowed-targets.ts';
import { isPublicAddress } from '../kernel/network/public-address.ts';
import { targetFault } from '../kernel/network/target-url.ts';
import { tracing } from '../kernel/tracing.ts';

export interface EndpointClientOptions {
  allowed: AllowedTargets;
  /** The addresses of a name, an empty list or an error if it has none; by default through DNS. */
  resolve?: (hostname: string) => Promise<string[]>;
  /** Seconds until a response must begin (reference/webhooks.md#responses). */
  patience?: number;
}

const maxHeadBytes = 16 * 1024;
/** How many idle connections are kept, and for how many milliseconds; an endpoint may ask for less, not for more. */
const kept = { connections: 64, milliseconds: 4_000 };
/** Bytes of a body that are read, and that are kept. */
const readBytes = 4 * 1024;
const keptBytes = 1024;
/** Milliseconds for the body after the head; the part received by then is kept. */
const bodyPatience = 1_000;

/**
 * Sends requests to URLs that strangers chose, without following redirects. The addresses of the host are checked for each request, and
 * a connection is reused only for the same ones (note 0059).
 */
export function createEndpointClient(options: EndpointClientOptions): SendToEndpoint {
  const { patience = 15 } = options;
  const post = createPost();
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
    const span = tracing.tracer?.begin('POST webhook', 'client', undefined);
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
 * The addresses that the host of a URL has now, if all are allowed (reference/webhooks.md#addresses).
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

interface HttpAnswer {
  status: number;
  retryAfter: string | undefined;
  /** When the head arrived, by `performance.now()`. */
  at: number;
  /** The beginning of the body, as text that PostgreSQL can store. */
  text: string;
}

interface Pinned extends https.RequestOptions {
  /** The checked addresses: only these are dialled, and only a connection to the same ones is reused. */
  addresses: string;
}

function keeping<Agent extends http.Agent>(agent: Agent): Agent {
  const { getName, keepSocketAlive } = agent as Agent & { keepSocketAlive(socket: Socket): boolean };
  return Object.assign(agent, {
    getName: (options: Pinned) => `${getName.call(agent, options)} ${options.addresses}`,
    keepSocketAlive: (socket: Socket) =>
      Object.values(agent.freeSockets).flat().length < kept.connections && keepSocketAlive.call(agent, socket),
  });
}

export function createPost() {
  const options = { keepAlive: true, timeout: kept.milliseconds };
  const agents = { 'http:': keeping(new http.Agent(options)), 'https:': keeping(new https.Agent(options)) };
  return async (url: URL, request: EndpointRequest, addresses: readonly string[], signal: AbortSignal) => {
    const agent = agents[url.protocol as keyof typeof agents];
    try {
      return await exchange(url, request, { addresses, agent }, signal);
    } catch (error) {
      if (!(error instanceof ClosedWhileIdle)) throw error;
      return await exchange(url, request, { addresses, agent: false }, signal);
    }
  };
}

/** The endpoint closed a kept connection before its response began. */
class ClosedWhileIdle extends Error {}

/** @param agent false for a new connection that is not kept */
function exchange(
  url: URL,
  { headers, body }: EndpointRequest,
  { addresses, agent }: { addresses: readonly string[]; agent: http.Agent | false },
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const options: Pinned = {
    ...{ method: 'POST', agent, signal, maxHeaderSize: maxHeadBytes },
    headers: { 'content-type': 'application/json', 'user-agent': 'Events-Gateway-Webhooks', ...headers },
    ...{ lookup: fixedLookup(addresses), addresses: addresses.toSorted().join() },
    // ignores NODE_TLS_REJECT_UNAUTHORIZED
    rejectUnauthorized: true,
  };
  const request = (url.protocol === 'https:' ? https : http).request(url, options);
  let readBefore = 0;
  request.on('socket', (socket) => {
    readBefore = socket.bytesRead;
  });
  request.on('error', (error) => {
    const isUnanswered = request.reusedSocket && request.socket?.bytesRead === readBefore;
    reject(isUnanswered && closed.has(codeOf(error)) ? new ClosedWhileIdle() : error);
  });
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    reject(new Error('The connection was upgraded.'));
  });
  request.on('response', (response) => {
    const { statusCode: status = 0, headers: answered } = response;
    const at = performance.now();
    const chunks: Buffer[] = [];
    let length = 0;
    const end = () => {
      clearTimeout(timer);
      resolve({ status, retryAfter: answered['retry-after'], at, text: keptText(chunks) });
    };
    // a connection whose response is not read to its end cannot be reused
    const cutOff = () => request.destroy();
    const timer = setTimeout(cutOff, bodyPatience);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= readBytes) cutOff();
    });
    // a body that breaks off counts, too
    response.on('error', end).on('close', end);
  });
  request.end(body);
  return promise;
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) =>
    all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family);
}

/** At most {@link keptBytes} of UTF-8, without a cut character at the end. */
function keptText(chunks: readonly Buffer[]): string {
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '\ufffd');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(keptBytes));
  return text.slice(0, read);
}

/** The same words for refused and for unreachable addresses, so that nobody can explore a private network. */
const refused = 'refused address';

const closed = new Set(['ECONNRESET', 'EPIPE']);
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '');

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
  if (code === 'HPE_HEADER_OVERFLOW') return 'the head of the answer is too large';
  if (code.startsWith('HPE_')) return 'the answer is not valid HTTP';
  if (/CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME/.test(code)) return 'the certificate is not valid';
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return 'no TLS connection';
  return 'the connection was closed without an answer';
}

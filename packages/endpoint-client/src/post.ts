import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';

const maxHeadBytes = 16 * 1024;
/** How many idle connections are kept, and for how many milliseconds; an endpoint may ask for less, not for more. */
const kept = { connections: 64, milliseconds: 4_000 };
/** Bytes of a body that are read, and that are kept. */
const readBytes = 4 * 1024;
const keptBytes = 1024;
/** Milliseconds for the body after the head; the part received by then is kept. */
const bodyPatience = 1_000;

interface Sent {
  headers: Record<string, string>;
  body: string;
}

export interface HttpAnswer {
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

/** Sends bodies of JSON over connections that are kept. */
export function createPost(userAgent?: string) {
  const options = { keepAlive: true, timeout: kept.milliseconds };
  const agents = { 'http:': keeping(new http.Agent(options)), 'https:': keeping(new https.Agent(options)) };
  return async (url: URL, { headers, body }: Sent, addresses: readonly string[], signal: AbortSignal) => {
    const named: Record<string, string> = userAgent === undefined ? {} : { 'user-agent': userAgent };
    const request = { headers: { 'content-type': 'application/json', ...named, ...headers }, body };
    const agent = agents[url.protocol as keyof typeof agents];
    try {
      return await exchange(url, request, { addresses, agent }, signal);
    } catch (error) {
      if (!(error instanceof ClosedWhileIdle)) throw error;
      return await exchange(url, request, { addresses, agent: false }, signal);
    }
  };
}

const closed = new Set(['ECONNRESET', 'EPIPE']);

export const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '');

/** The endpoint closed a kept connection before its response began. */
class ClosedWhileIdle extends Error {}

/** @param agent false for a new connection that is not kept */
function exchange(
  url: URL,
  { headers, body }: Sent,
  { addresses, agent }: { addresses: readonly string[]; agent: http.Agent | false },
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const options: Pinned = {
    ...{ method: 'POST', agent, signal, headers, maxHeaderSize: maxHeadBytes },
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

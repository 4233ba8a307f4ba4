import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';

const maxHeadBytes = 16 * 1024;
/** How many idle connections are kept, and for how many milliseconds; an endpoint may ask for less, not for more. */
const kept = { connections: 64, milliseconds: 4_000 };
/** Bytes of a body that are read, and that are kept. */
const readBytes = 4 * 1024;
const keptBytes = 1024;
/** Milliseconds for the body after the head; the part received by then is kept. */
const bodyPatience = 1_000;
/** Milliseconds after which a connection that nobody waits for anymore is no longer tried. */
const connectPatience = 20_000;

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

/** A client that has one connection at a time, to addresses that were checked. */
interface Connection {
  /** The origin and the addresses: only a connection to the same ones is reused. */
  key: string;
  client: Client;
  socket: Socket | null;
}

/** Sends bodies of JSON over connections that are kept. */
export function createPost(userAgent?: string) {
  const idle: Connection[] = [];
  const named: Record<string, string> = userAgent === undefined ? {} : { 'user-agent': userAgent };
  const send = async (connection: Connection, url: URL, { headers, body }: Sent, signal: AbortSignal) => {
    const request = { headers: { 'content-type': 'application/json', ...named, ...headers }, body };
    const answer = await exchange(connection, url, request, signal);
    if (!connection.client.destroyed) idle.push(connection);
    if (idle.length > kept.connections) void idle.shift()?.client.close();
    return answer;
  };
  return async (url: URL, sent: Sent, addresses: readonly string[], signal: AbortSignal): Promise<HttpAnswer> => {
    const key = `${url.origin} ${addresses.toSorted().join()}`;
    const at = idle.findLastIndex((each) => each.key === key);
    const [connection = connect(key, url, addresses)] = at < 0 ? [] : idle.splice(at, 1);
    try {
      return await send(connection, url, sent, signal);
    } catch (error) {
      if (!(error instanceof ClosedWhileIdle)) throw error;
      return await send(connect(key, url, addresses), url, sent, signal);
    }
  };
}

function connect(key: string, url: URL, addresses: readonly string[]): Connection {
  const dial = buildConnector({
    ...{ lookup: fixedLookup(addresses), allowH2: false, timeout: connectPatience },
    // ignores NODE_TLS_REJECT_UNAUTHORIZED
    rejectUnauthorized: true,
  });
  const client = new Client(url.origin, {
    ...{ headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: maxHeadBytes },
    ...{ keepAliveTimeout: kept.milliseconds, keepAliveMaxTimeout: kept.milliseconds },
    connect: (options, callback) =>
      dial(options, (...dialled) => {
        connection.socket = dialled[1];
        callback(...dialled);
      }),
  });
  const connection: Connection = { key, client, socket: null };
  return connection;
}

const closed = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '');

/** The endpoint closed a kept connection before its response began. */
class ClosedWhileIdle extends Error {}

function exchange(connection: Connection, url: URL, { headers, body }: Sent, signal: AbortSignal): Promise<HttpAnswer> {
  signal.throwIfAborted();
  const { client, socket } = connection;
  const readBefore = socket?.bytesRead;
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const cutOff = () => void client.destroy(signal.aborted ? signal.reason : null);
  signal.addEventListener('abort', cutOff, { once: true });
  let head: Omit<HttpAnswer, 'text'> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  const end = (error?: Error) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cutOff);
    if (error) cutOff();
    // a body that breaks off counts, too
    if (head) resolve({ ...head, text: keptText(chunks) });
    else if (socket && socket === connection.socket && socket.bytesRead === readBefore && closed.has(codeOf(error)))
      reject(new ClosedWhileIdle());
    else reject(error);
  };
  client.dispatch(
    { method: 'POST', path: url.pathname + url.search, headers, body },
    {
      // required by undici
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, { 'retry-after': retryAfter }) => {
        if (status < 200) return;
        head = { status, retryAfter: [retryAfter].flat()[0], at: performance.now() };
        timer = setTimeout(cutOff, bodyPatience);
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
        length += chunk.length;
        // a connection whose response is not read to its end cannot be reused
        if (length >= readBytes) cutOff();
      },
      onResponseEnd: () => end(),
      onResponseError: (_controller, error) => end(error),
    },
  );
  return promise;
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) =>
    all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family);
}

/** At most {@link keptBytes} of UTF-8, without a cut character at the end. */
function keptText(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '\ufffd');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(keptBytes));
  return text.slice(0, read);
}

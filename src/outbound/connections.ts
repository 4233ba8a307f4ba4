import { Client, type Dispatcher } from 'undici';
import type { EndpointRequest } from '../domain/webhook/delivery.ts';
import { connectTo } from './checked-connect.ts';

/** The largest head of an answer, in bytes. */
const largestHead = 16 * 1024;
/** How many idle connections are kept, and for how many milliseconds; an endpoint may ask for less, not for more. */
const kept = { connections: 64, milliseconds: 4_000 };

/** Bytes of an answer that are read, and bytes that are kept of them. */
const readBytes = 4 * 1024;
const keptBytes = 1024;
/** Milliseconds for the body once the head has arrived; what came by then is kept. */
const bodyPatience = 1_000;

/** The head of an answer, and the beginning of its body. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** When the head arrived, by `performance.now()`. */
  at: number;
  /** The beginning of the body as text that PostgreSQL can store; the rest is not read. */
  text: string;
  /** Whether the body was read to its end, so that the connection can carry another request. */
  isWhole: boolean;
}

/** A connection to an endpoint, for one request at a time; it is dialled once. */
export class EndpointConnection {
  readonly origin: string;
  readonly #client: Client;
  /** The address that was dialled; null while there is no connection. */
  #dialled: string | null = null;
  /** Whether an answer had begun when a request failed: it must not be sent again. */
  hasAnswered = false;

  /**
   * @param addresses were checked for the first request
   * @param signal ends the dialling
   */
  constructor(
    url: URL,
    addresses: readonly string[],
    signal: AbortSignal,
    onClosed: (closed: EndpointConnection) => void,
  ) {
    this.origin = url.origin;
    this.#client = new Client(url.origin, {
      ...{ maxHeaderSize: largestHead, headersTimeout: 0, bodyTimeout: 0 },
      ...{ keepAliveTimeout: kept.milliseconds, keepAliveMaxTimeout: kept.milliseconds },
      connect: (_target, callback) => {
        connectTo(url, addresses, signal).then(
          (socket) => {
            this.#dialled = socket.remoteAddress ?? null;
            callback(null, socket);
          },
          (error) => callback(error, null),
        );
      },
    });
    this.#client.on('disconnect', () => {
      this.#dialled = null;
      onClosed(this);
      // it must not be dialled again, at addresses that may be others by now
      void this.close();
    });
  }

  /** Whether it leads to one of the addresses. */
  leadsTo(addresses: readonly string[]): boolean {
    return this.#dialled !== null && addresses.includes(this.#dialled);
  }

  get isOpen(): boolean {
    return this.#dialled !== null;
  }

  /** Sends a request; if that fails, the connection is closed. */
  async post({ pathname, search }: URL, { headers, body }: EndpointRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const reader = new AnswerReader(signal);
    const options = {
      ...{ method: 'POST' as const, path: `${pathname}${search}`, body },
      headers: { 'content-type': 'application/json', 'user-agent': 'Events-Gateway-Webhooks', ...headers },
    };
    try {
      this.#client.dispatch(options, reader);
      return await reader.answer;
    } catch (error) {
      this.hasAnswered = reader.hasBegun;
      void this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client.destroy().catch(() => undefined);
  }
}

/** Connections that have carried a request and can carry another one, the oldest first. They keep no process running. */
export class EndpointConnections {
  readonly #idle = new Set<EndpointConnection>();

  /** An idle connection to one of the addresses, if there is one. */
  take({ origin }: URL, addresses: readonly string[]): EndpointConnection | undefined {
    const found = this.#idle.values().find((each) => each.origin === origin && each.leadsTo(addresses));
    if (found) this.#idle.delete(found);
    return found;
  }

  open(url: URL, addresses: readonly string[], signal: AbortSignal): EndpointConnection {
    return new EndpointConnection(url, addresses, signal, (closed) => this.#idle.delete(closed));
  }

  /** Keeps a connection whose answer was read to its end, unless the endpoint closed it then. */
  keep(connection: EndpointConnection): void {
    if (!connection.isOpen) return;
    this.#idle.add(connection);
    const [oldest] = this.#idle;
    if (this.#idle.size > kept.connections && oldest) {
      this.#idle.delete(oldest);
      void oldest.close();
    }
  }
}

/** Receives the answer to one request from undici, without the streams of its `request`, which take longer than the answer. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #settled = Promise.withResolvers<HttpAnswer>();
  readonly #signal: AbortSignal;
  /** Whether anything has arrived: the endpoint has the request then. */
  hasBegun = false;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Pick<HttpAnswer, 'status' | 'headers' | 'at'> | null = null;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort);
  }

  /** Rejected if no head arrives, or the signal aborts before. */
  get answer(): Promise<HttpAnswer> {
    return this.#settled.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#abort();
  }

  onResponseStarted(): void {
    this.hasBegun = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpAnswer['headers']): void {
    // another head follows
    if (status < 200) return;
    this.#head = { status, headers, at: performance.now() };
    this.#timer = setTimeout(() => this.#end(false), bodyPatience);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= readBytes) this.#end(false);
  }

  onResponseEnd(): void {
    this.#end(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // a body that breaks off is as good as one that ends
    this.#end(false);
    this.#settled.reject(error);
  }

  /** Before the request has begun, the connection is still being dialled, and whoever dials ends that. */
  readonly #abort = () => this.#controller?.abort(this.#signal.reason);

  #end(isWhole: boolean): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#abort);
    if (this.#head) this.#settled.resolve({ ...this.#head, text: keptText(this.#chunks), isWhole });
  }
}

/** At most {@link keptBytes} of UTF-8, without a cut character at its end. */
function keptText(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  const bytes = Buffer.concat(chunks).subarray(0, keptBytes);
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
  const encoded = Buffer.from(text);
  // a byte that is no UTF-8 becomes a character of three
  return encoded.length <= keptBytes
    ? text
    : new TextDecoder().decode(encoded.subarray(0, keptBytes), { stream: true });
}

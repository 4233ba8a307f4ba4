import type { Socket } from 'node:net';
import { Client } from 'undici';
import { connectTo } from './checked-connect.ts';

/** The largest head of an answer, in bytes. */
const largestHead = 16 * 1024;
/** How many idle connections are kept, and for how many milliseconds; an endpoint may ask for less, not for more. */
const kept = { connections: 64, milliseconds: 4_000 };

/** A connection to an endpoint, for one request at a time. */
export class EndpointConnection {
  readonly origin: string;
  readonly client: Client;
  /** The address that was dialled; null while there is no connection. */
  #dialled: string | null = null;
  #socket: Socket | null = null;
  /** How many bytes had arrived before the request. */
  #readBefore = 0;
  #addresses: readonly string[] = [];
  #signal: AbortSignal = new AbortController().signal;

  constructor(url: URL, onClosed: (connection: EndpointConnection) => void) {
    this.origin = url.origin;
    this.client = new Client(url.origin, {
      ...{ maxHeaderSize: largestHead, headersTimeout: 0, bodyTimeout: 0 },
      ...{ keepAliveTimeout: kept.milliseconds, keepAliveMaxTimeout: kept.milliseconds },
      connect: (_target, callback) => {
        connectTo(url, this.#addresses, this.#signal).then(
          (socket) => {
            this.#dialled = socket.remoteAddress ?? null;
            this.#socket = socket;
            callback(null, socket);
          },
          (error) => callback(error, null),
        );
      },
    });
    this.client.on('disconnect', () => {
      this.#dialled = null;
      onClosed(this);
    });
  }

  get isOpen(): boolean {
    return this.#dialled !== null;
  }

  /** Whether it leads to one of the addresses. */
  leadsTo(addresses: readonly string[]): boolean {
    return this.#dialled !== null && addresses.includes(this.#dialled);
  }

  /** Whether anything has arrived since the request was prepared: the endpoint has it then. */
  get hasAnswered(): boolean {
    return this.#socket !== null && this.#socket.bytesRead > this.#readBefore;
  }

  /** Says which addresses were checked for the next request, and what ends the dialling of one of them. */
  prepare(addresses: readonly string[], signal: AbortSignal): void {
    this.#addresses = addresses;
    this.#signal = signal;
    this.#readBefore = this.#socket?.bytesRead ?? 0;
  }

  async close(): Promise<void> {
    await this.client.destroy().catch(() => undefined);
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

  open(url: URL): EndpointConnection {
    return new EndpointConnection(url, (closed) => this.#idle.delete(closed) && void closed.close());
  }

  /** Keeps a connection whose answer was read to its end, unless the endpoint closed it then. */
  keep(connection: EndpointConnection): void {
    if (!connection.isOpen) return void connection.close();
    this.#idle.add(connection);
    const [oldest] = this.#idle;
    if (this.#idle.size > kept.connections && oldest) {
      this.#idle.delete(oldest);
      void oldest.close();
    }
  }
}
